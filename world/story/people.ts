/** Who registers names: invented people and companies from many countries. */
import type { Person } from '../world-domain.ts';
import type { Random } from './random.ts';

interface Region {
  readonly country: string;
  readonly dialing: string;
  readonly given: readonly string[];
  readonly family: readonly string[];
  readonly cities: readonly (readonly [city: string, state: string, postal: string])[];
  readonly street: string;
  readonly company: string;
}

/** The most common first. */
const regions: readonly Region[] = [
  {
    country: 'US',
    dialing: '1',
    given: ['Harriet', 'Dwight', 'Marlene', 'Otis', 'Cora', 'Emmett', 'Lucille', 'Wendell'],
    family: ['Abernathy', 'Castlewood', 'Dunmore', 'Fairbank', 'Hollister', 'Thackeray', 'Winslow'],
    cities: [
      ['Maple Falls', 'OR', '97299'],
      ['Cedar Bluff', 'VT', '05099'],
      ['Port Sterling', 'CA', '94099'],
    ],
    street: 'Larkspur Avenue',
    company: 'LLC',
  },
  {
    country: 'DE',
    dialing: '49',
    given: ['Jörg', 'Käthe', 'Friedhelm', 'Ännchen', 'Wolfram', 'Ilse'],
    family: ['Möllenbrock', 'Süßkind', 'Vogelsang', 'Grünwald', 'Österreicher'],
    cities: [
      ['Oberwiesental', 'Bayern', '99901'],
      ['Düsterfeld', 'Hessen', '99934'],
    ],
    street: 'Lindenstraße',
    company: 'GmbH',
  },
  {
    country: 'GB',
    dialing: '44',
    given: ['Imogen', 'Rupert', 'Siân', 'Alastair', 'Fenella'],
    family: ["O'Hanlon-Price", 'Featherstone', 'Greystoke', 'Pemberton'],
    cities: [
      ['Little Wexcombe', 'Wiltshire', 'ZZ1 1ZZ'],
      ['Netherby', 'Cumbria', 'ZZ9 4QQ'],
    ],
    street: 'Mill Lane',
    company: 'Ltd',
  },
  {
    country: 'FR',
    dialing: '33',
    given: ['Zoë', 'François', 'Hélène', 'Loïc', 'Maëlle'],
    family: ['Desrosiers', 'Lefèvre-Aubin', 'Montclair', 'Çelik-Dupré'],
    cities: [['Saint-Aubin-des-Bois', 'Normandie', '99140']],
    street: 'rue des Tilleuls',
    company: 'SARL',
  },
  {
    country: 'JP',
    dialing: '81',
    given: ['美咲', '健太郎', 'さくら', '大輔'],
    family: ['月島', '星野川', '桜木原', '白鷺'],
    cities: [['緑ヶ丘市', '信濃県', '999-0001']],
    street: '中央通り',
    company: '株式会社',
  },
  {
    country: 'PL',
    dialing: '48',
    given: ['Łukasz', 'Żaneta', 'Świętosław', 'Grażyna'],
    family: ['Wójcikowski', 'Brzęczyszczyk', 'Źródłowska'],
    cities: [['Nowy Ług', 'Mazowieckie', '99-901']],
    street: 'ulica Klonowa',
    company: 'Sp. z o.o.',
  },
  {
    country: 'BG',
    dialing: '359',
    given: ['Мария', 'Димитър', 'Цветана'],
    family: ['Ясенова', 'Брезов', 'Звездичкова'],
    cities: [['Горна Липа', 'Ловеч', '9990']],
    street: 'улица Явор',
    company: 'ООД',
  },
  {
    country: 'EG',
    dialing: '20',
    given: ['أمينة', 'يوسف', 'ليلى'],
    family: ['النخلاوي', 'السرو', 'البستاني'],
    cities: [['مدينة النخيل', 'الدلتا', '99911']],
    street: 'شارع الياسمين',
    company: 'ش.م.م',
  },
  {
    country: 'VN',
    dialing: '84',
    given: ['Thị Hoa', 'Văn Quý', 'Ngọc Ánh'],
    family: ['Nguyễn', 'Trần', 'Đặng'],
    cities: [['Sông Xanh', 'Lâm Đồng', '999100']],
    street: 'đường Hoa Mai',
    company: 'TNHH',
  },
];

const mailboxDomains = ['postbox.zon', 'briefkasten.lumen', 'pigeonpost.orb'];
const companyShare = 0.45;
const initials = 'ABCDEFGHJKLMNOPRSTVW';

export function newPerson(random: Random): Person {
  const region = random.pickSkewed(regions);
  const [given, family] = [random.pick(region.given), random.pick(region.family)];
  const [city, state, postal] = random.pick(region.cities);
  const mailbox = `${latinLetters(`${given}.${family}`) || 'mail'}${random.digits(3)}`;
  // So that two strangers of one name are rare. It is drawn apart, and leaves everything else as it was.
  const more = random.derive('more of a name');
  const initial = more.characters(initials, 1);
  const hasInitials = /^\p{Script=Latin}/u.test(given);
  const middle = hasInitials ? ` ${initial}.` : '';
  const founder = hasInitials ? `${given.slice(0, 1)}. ${initial}. ${family}` : `${family} ${more.digits(2)}`;
  return {
    name: region.country === 'JP' ? `${family} ${given}` : `${given}${middle} ${family}`,
    organization: random.chance(companyShare) ? `${founder} ${region.company}` : undefined,
    street: `${region.street} ${random.between(1, 240)}`,
    city,
    state,
    postal,
    country: region.country,
    phone: `+${region.dialing}.5550${random.digits(6)}`,
    email: `${mailbox}@${random.pickSkewed(mailboxDomains)}`,
  };
}

/** A company under its own name. */
export function companyPerson(random: Random, organization: string, domain: string): Person {
  return {
    ...newPerson(random),
    name: 'Domain Administrator',
    organization,
    email: `hostmaster@${domain}`,
  };
}

/** What is left of a name in a mailbox: no marks, and nothing that is not a to z. */
function latinLetters(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z.]/g, '')
    .replaceAll(/^\.+|\.+$/g, '');
}
