import { randomBytes } from 'node:crypto';
import { planted, PLANTED_FAULTS } from './planted-faults.mjs';

const variables = { SECRETS_KEY: randomBytes(32).toString('base64') };
const APPS = ['gateway', 'projections', 'delivery'];

/** What a load throws; nothing where it loads. */
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

/** A setting of the caller's reaches each app; one that the caller has not set stays unset. */
function handsOn(load, text) {
  const name = 'WEBHOOK_ALLOW_HTTP';
  const had = (given) => APPS.map((app) => load(text, { ...variables, ...given }).services[app].environment[name]);
  const [set, unset] = [had({ [name]: 'true' }), had({})];
  if (set.some((value) => value !== 'true')) throw new Error(`set, it arrives as ${set}`);
  // The plugin leaves out what has no value.
  if (unset.some((value) => value !== null)) throw new Error(`not set, it arrives as ${unset}`);
}

/** Each check of the Compose file's text by its name; a check throws where it fails. */
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

/** The project of the Compose file's text, with a key for secrets. */
export const projectOf = (load, text) => load(text, variables);
