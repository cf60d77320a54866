/** Words that combosquatting names put beside a brand. A term of three or four letters counts inside a label only beside one. */
const beside = `
about access account accounts activate activation active activity admin agent ai aid airdrop alert alerts all america app apply apps
asia assist au auth authenticate authentication authorize auto bank banking beta bill billing bitcoin blog bonus book br
business buy by ca call card cards care cart cash center central centre chain chat check checkout city claim claims class click client
clients cloud club cn co code coin com company confirm confirmation connect contact control corp corporate coupon credit crypto
customer customers customs cz data de deal deals debit delivery demo desk dev device dex digital direct discount docs document
documents domain download drive drop earn edit eg email en end eng enroll enter entry error es eu event events exchange expert express
extra family fee feedback file files finance financial find fix for form forum forums france free fr from fund funds game games gb get
gift gifts global go gold gov group guard guide help helpdesk helper here hk home host hot hotel hub id identity in inc india
info inquiry insurance int international internet invest investment invoice io issue it job jobs jp kr kyc lab labs learn legal
legit link links list live loan local lock locked log login logins logon logout lotto loyalty ltd ma mail main manage manager market
marketing me media member members message messages mi miles mobile mobil money monitor mx my myaccount near net netbank network
new news nft nl no notice notification notify now nz of offer offers office official on one online onlinebanking open order orders
org outlook package page pages parcel partner partners pass passcode password passwords pay paying payment payments pe personal
phone pin pl plan plus point points pool portal post premium price prime privacy pro process product profile promo protect
protection pt public qr quick rate receive recover recovery redirect refund refunds reg register registration release remote renew
renewal report request reset resolution resolve restore return returns review reward rewards ru safe safety sale sales save scan
search secure secured security sell send server service services session set setup share shipment shipping shop shopping sign signin
signup site sites smart sms social software solution solutions spa spin sso stake staking start status stop store stream sub
submit success suite summary support survey suspended swap sync system systems tax team tech test th the ticket tickets to today
token tokens toll top track tracking trade trader trading transaction transfer travel trial trust tv uk unlock unlocked unlimited
update updates upgrade us usa user users validate validation vault verification verified verify video vip voucher wallet wallets
wap warning watch web webmail website welcome win wins with work world www your zone
` as const;

export const commonAffixWords: ReadonlySet<string> = new Set(beside.trim().split(/\s+/));

/** URL prefixes written without their separator, as in `wwwexample`. The longest come first. */
export const gluedPrefixes = ['httpswww', 'httpwww', 'https', 'http', 'wwww', 'www', 'ww'] as const;
