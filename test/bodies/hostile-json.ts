import * as fc from 'fast-check';
import { shapeOf } from '../../apps/gateway/src/http/body/valid-body.js';
import type { RouteWithBody } from './bodies-world.js';

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'toJSON',
  'toLocaleString',
  'hasOwnProperty',
  'isPrototypeOf',
  'then',
  'catch',
  'length',
  'name',
  'push',
  'call',
  'get',
  'text',
  'parsed',
  'metadata',
  'warnings',
  'toCommand',
  '0',
  '1',
  '-1',
  '',
];

/** Values of which each member of a body takes one. */
const SAMPLES = [
  'text',
  'long enough for a password',
  'https://receiver.example/hooks',
  '+4915112345678',
  'ann@example.com',
  '2030-01-01T09:00:00Z',
  'Europe/Berlin',
  'inbound',
  'user',
  'customer',
  'completed',
  'enabled',
  'appointment.created',
  'confirmed',
  'requested',
  'in_place',
  true,
  1,
  1_000,
  [],
  ['appointment.*'],
  ['agent'],
  { a: 'b' },
];

/** A value that breaks no rule of this member; undefined where none of the samples does. */
function sampleOf(type: RouteWithBody['body'], member: string): unknown {
  const rules = shapeOf(type).properties.find(({ name }) => name === member)?.rules ?? [];
  return SAMPLES.find((value) => {
    const given = { value, property: member, object: { [member]: value }, targetName: type.name, constraints: [] };
    return rules.every(({ holds }) => holds(given));
  });
}

/** JSON text with members and values of these names, nested at most so deep. It is text because objects have one `__proto__`. */
export function hostileJson(levels: number): fc.Arbitrary<string> {
  const name = fc.constantFrom(...NAMES);
  const leaf = fc.oneof(
    name.map(quoted),
    fc.constantFrom('0', '-1', '1e400', '12345678901234567890', 'null', 'true', '{}', '[]'),
  );
  if (levels <= 1) return leaf;
  const inner = hostileJson(levels - 1);
  const object = fc.array(fc.tuple(name, inner), { minLength: 1, maxLength: 2 }).map(objectOf);
  const array = fc.array(inner, { minLength: 1, maxLength: 2 }).map((items) => `[${items.join(',')}]`);
  return fc.oneof(leaf, { arbitrary: object, weight: 3 }, array);
}

/** A body of the class that is wrong in some of its members, holds unknown ones, or is wrong as a whole. */
export function hostileBody(type: RouteWithBody['body']): fc.Arbitrary<string> {
  const strange = fc.array(fc.tuple(fc.constantFrom(...NAMES), hostileJson(8)), { maxLength: 2 });
  const usual = fc.tuple(membersOf(type), strange).map((members) => objectOf(members.flat()));
  return fc.oneof({ arbitrary: usual, weight: 9 }, hostileJson(8));
}

function membersOf(type: RouteWithBody['body']): fc.Arbitrary<[string, string][]> {
  const { names, nested } = shapeOf(type);
  const members = [...names].map((name) => {
    const inner = nested[name]?.();
    const sample = JSON.stringify(sampleOf(type, name)) ?? 'null';
    const right = inner ? membersOf(inner).map(objectOf) : fc.constant(sample);
    const member = (value: fc.Arbitrary<string>) => value.map((text): [string, string][] => [[name, text]]);
    return fc.oneof({ arbitrary: member(right), weight: 5 }, member(hostileJson(8)), {
      arbitrary: fc.constant<[string, string][]>([]),
      weight: 4,
    });
  });
  return fc.tuple(...members).map((all) => all.flat());
}

const quoted = (text: string) => JSON.stringify(text);

function objectOf(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([name, text]) => `${quoted(name)}:${text}`).join(',')}}`;
}
