import { randomBytes } from 'node:crypto';
import { planted, PLANTED_FAULTS } from './planted-faults.mjs';

const variables = { SECRETS_KEY: randomBytes(32).toString('base64') };
const APPS = ['gateway', 'projections', 'delivery'];

function complaintOf(load) {
  try {
    load();
    return '';
  } catch (error) {
    return error.message;
  }
}

function refuses(load, text, fault) {
  const complaint = complaintOf(() => load(planted(text, fault), variables));
  if (!fault.complaint.test(complaint)) throw new Error(complaint === '' ? 'it is loaded' : `it says: ${complaint}`);
}

/** A set variable reaches each app; an unset one stays unset. */
function handsOn(load, text) {
  const name = 'WEBHOOK_ALLOW_HTTP';
  const had = (given) => APPS.map((app) => load(text, { ...variables, ...given }).services[app].environment[name]);
  const [set, unset] = [had({ [name]: 'true' }), had({})];
  if (set.some((value) => value !== 'true')) throw new Error(`set, it arrives as ${set}`);
  // The plugin omits variables without a value.
  if (unset.some((value) => value !== null)) throw new Error(`not set, it arrives as ${unset}`);
}

export function composeChecks(load, text) {
  const faults = PLANTED_FAULTS.map((fault) => [
    `docker-compose.yml with ${fault.name} is refused`,
    () => refuses(load, text, fault),
  ]);
  return [
    ['docker-compose.yml is loaded without a warning', () => load(text, variables)],
    ["docker-compose.yml hands the caller's settings on to the apps", () => handsOn(load, text)],
    ...faults,
  ];
}

export const projectOf = (load, text) => load(text, variables);
