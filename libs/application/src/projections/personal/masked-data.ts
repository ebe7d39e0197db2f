import { isPersonalMember } from './personal-members.js';

/** Makes a mask of a text: the same for the same text, and not reversible. */
export type Mask = (text: string) => string;

/** The mask of a personal value: null stays null, anything but text is masked as its JSON. */
export function maskedValue(value: unknown, mask: Mask): string | null {
  if (value === null || value === undefined) return null;
  return mask(typeof value === 'string' ? value : JSON.stringify(value));
}

/** A member that has what the events of a customer have. */
const CUSTOMER = 'customer';

/** An event's data, its personal members masked wherever in it they are. */
export function maskedData(data: object, category: string, mask: Mask): object {
  return maskedIn(data, [category], mask) as object;
}

function maskedIn(value: unknown, categories: readonly string[], mask: Mask): unknown {
  if (Array.isArray(value)) return value.map((each) => maskedIn(each, categories, mask));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, each]) => {
    if (isPersonalMember(name, categories)) return [name, maskedValue(each, mask)];
    return [name, maskedIn(each, name === CUSTOMER ? [...categories, CUSTOMER] : categories, mask)];
  });
  return Object.fromEntries(members);
}
