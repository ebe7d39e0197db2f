import { itemsOf, membersOf } from './raw-members.js';
import { MetadataText } from './metadata-text.js';
import { isObject } from './json-body.js';

/** The same text for bodies that mean the same, whatever their order of members and their spacing. */
export function canonicalJson(value: unknown): string {
  if (value instanceof MetadataText) return canonicalText(value.text);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(',')}}`;
}

/** Likewise for JSON text, in which long numbers must not lose their last digits. */
function canonicalText(json: string): string {
  const text = json.trim();
  if (text.startsWith('[')) return `[${[...itemsOf(text)].map(canonicalText).join(',')}]`;
  if (text.startsWith('"')) return JSON.stringify(JSON.parse(text));
  if (!text.startsWith('{')) return canonicalLiteral(text);
  const members = new Map([...membersOf(text)].map((member) => [member.name, member.text]));
  const names = [...members.keys()].sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(members.get(name) ?? 'null')}`).join(',')}}`;
}

/** Up to 15 digits survive every client's re-serialisation; longer numbers are compared as they were sent. */
function canonicalLiteral(text: string): string {
  const digits = text
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '');
  return /^-?\d/.test(text) && digits.length <= 15 ? JSON.stringify(Number(text)) : text;
}
