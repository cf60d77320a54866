import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Contact } from '../../../src/model/record/domain-record.ts';
import { readJcard } from '../../../src/model/registration/rdap/read-jcard.ts';

function addressOf(content: unknown, parameters: object = {}): Contact | undefined {
  return readJcard(['vcard', [['adr', parameters, 'text', content]]]).contact();
}

const beechtown = {
  street: '1 Grove Road',
  city: 'Beechtown',
  state: 'Oak Region',
  postal: '101',
  country: 'is',
};

test('an address of seven parts is read by place', () => {
  assert.deepEqual(addressOf(['', '', '1 Grove Road', 'Beechtown', 'Oak Region', '101', 'IS']), beechtown);
  const inBox = addressOf(['Box 5', 'Suite 2', '1 Grove Road', 'Beechtown', 'Oak Region', '101', 'IS']);
  assert.deepEqual(inBox, { ...beechtown, street: 'Box 5 Suite 2 1 Grove Road' });
});

test('an address of five parts has no post office box and no extension', () => {
  assert.deepEqual(addressOf(['1 Grove Road', 'Beechtown', 'Oak Region', '101', 'IS']), beechtown);
});

test('an address of six parts has two lines before the city', () => {
  const address = ['Alder Tower 23F', '1 Grove Road', 'Beechtown', 'Oak Region', '101', 'IS'];
  assert.deepEqual(addressOf(address), { ...beechtown, street: 'Alder Tower 23F 1 Grove Road' });
});

test('an address of six parts that ends with the postal code is one of seven without its country', () => {
  const address = addressOf(['', '', '1 Grove Road', 'Beechtown', 'Oak Region', '90001'], { cc: 'IS' });
  assert.deepEqual(address, { ...beechtown, postal: '90001' });
});

test('a part of an address may be a list', () => {
  const address = [['', '', '1 Grove Road'], ['Beechtown'], 'Oak Region', '101', 'IS'];
  assert.deepEqual(addressOf(address), beechtown);
  const nested = addressOf([['', '', ['1 Grove Road', 'Suite 2'], 'Beechtown', 'Oak Region', '101', 'IS']]);
  assert.deepEqual(nested, { ...beechtown, street: '1 Grove Road Suite 2' });
});

test('an address without parts is read from its label', () => {
  const label = '1 Grove Road\nBeechtown, CA 90001\nUnited States';
  const expected = { street: '1 Grove Road', city: 'Beechtown', state: 'CA', postal: '90001', country: 'us' };
  assert.deepEqual(addressOf(['', '', '', '', '', '', ''], { label }), expected);
  assert.deepEqual(addressOf(undefined, { LABEL: label.replaceAll('\n', '\r\n') }), expected);
});

test('an address of one text is read line by line', () => {
  const expected = { street: '1 Grove Road', city: 'Beechtown', postal: '1100', country: 'at' };
  assert.deepEqual(addressOf('1 Grove Road\n1100 Beechtown\nAustria'), expected);
  assert.deepEqual(addressOf(['1 Grove Road', '1100 Beechtown', 'Austria']), expected);
});

test('the country code of an address is found under CC in any letter case', () => {
  assert.deepEqual(addressOf(['', '', '', '', '', '', ''], { CC: 'IS' }), { country: 'is' });
});
