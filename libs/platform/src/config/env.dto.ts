import { registerDecorator, type ValidationArguments } from 'class-validator';
import { MOST_REPLY_WINDOW_MS, MOST_REQUESTS_PER_SECOND } from '@ports/setting-bounds';
import { DAY_MS } from '@ports/time-units';
import {
  addresses,
  anyText,
  apiKeySecret,
  base64Key,
  cidrs,
  connectionString,
  headerText,
  headerTexts,
  httpUrl,
  namePrefix,
  oneOf,
  password,
  queryTexts,
  schedule,
  share,
  truth,
  Unreadable,
  wholeNumber,
  type Reader,
} from './readers.js';

/** The reader of each variable. An empty text counts as not set. */
export const READERS = {
  HOST: anyText,
  PORT: wholeNumber(0, 65_535),
  ENGINE: oneOf('embedded', 'cluster'),
  DATA_DIR: anyText,
  EVENTSTORE_URL: connectionString('esdb', 'esdb+discover'),
  MONGODB_URL: connectionString('mongodb', 'mongodb+srv'),
  MONGODB_WRITE_CONCERN: oneOf('majority', '1'),
  KAFKA_BROKERS: addresses,
  KAFKA_REPLICATION_FACTOR: wholeNumber(1, 15),
  ENGINE_PREFIX: namePrefix,
  OPERATIONS_HOST: anyText,
  OPERATIONS_PORT: wholeNumber(0, 65_535),
  BOOTSTRAP_API_KEY: apiKeySecret,
  ADMIN_PASSWORD: password,
  SECRETS_KEY: base64Key,
  AGENT: oneOf('scripted', 'openai'),
  AGENT_BASE_URL: httpUrl,
  AGENT_API_KEY: headerText,
  AGENT_MODEL: anyText,
  AGENT_QUERY: queryTexts,
  AGENT_HEADERS: headerTexts,
  REPLY_WINDOW_MS: wholeNumber(1, MOST_REPLY_WINDOW_MS),
  CONVERSATION_IDLE_MS: wholeNumber(1, 365 * DAY_MS),
  RETRY_SCHEDULE: schedule,
  RETRY_SCHEDULE_MODE: oneOf('gap', 'offset'),
  RETRY_JITTER: share(1),
  WEBHOOK_TIMEOUT_MS: wholeNumber(1, 600_000),
  WEBHOOK_ALLOW_HTTP: truth,
  WEBHOOK_ALLOW_CIDRS: cidrs,
  RATE_LIMIT_READ: wholeNumber(0, MOST_REQUESTS_PER_SECOND),
  RATE_LIMIT_WRITE: wholeNumber(0, MOST_REQUESTS_PER_SECOND),
  RATE_LIMIT_MESSAGES: wholeNumber(0, MOST_REQUESTS_PER_SECOND),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
} satisfies Record<string, Reader<unknown>>;

export type Variable = keyof typeof READERS;

/** Variables whose values are never shown. */
export const SECRET_VARIABLES: ReadonlySet<Variable> = new Set([
  'BOOTSTRAP_API_KEY',
  'ADMIN_PASSWORD',
  'SECRETS_KEY',
  'AGENT_API_KEY',
  'AGENT_QUERY',
  'AGENT_HEADERS',
  'EVENTSTORE_URL',
  'MONGODB_URL',
]);

/** Variables that are not trimmed. */
export const VERBATIM_VARIABLES: ReadonlySet<string> = new Set<Variable>(['ADMIN_PASSWORD']);

/** Validates a variable's text with its reader. */
function Variable() {
  return (target: object, propertyName: string) =>
    registerDecorator({
      name: 'readable',
      target: target.constructor,
      propertyName,
      validator: {
        validate: (text: unknown) => complaint(propertyName as Variable, text) === null,
        defaultMessage: (args?: ValidationArguments) => complaint(propertyName as Variable, args?.value) ?? '',
      },
    });
}

function complaint(name: Variable, text: unknown): string | null {
  try {
    if (typeof text === 'string' && text !== '') READERS[name](text);
    return null;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const found = SECRET_VARIABLES.has(name) || error.isPrivate ? '' : `, but is ${JSON.stringify(text)}`;
    return `${name} must be ${error.message}${found}`;
  }
}

/** Every variable with its default. All of them are text here; `Config` holds the values. */
export class EnvDto {
  /** The address that the gateway listens on. */
  @Variable() HOST = '127.0.0.1';
  /** The port of the gateway; 0 picks a free one and prints it. */
  @Variable() PORT = '3000';
  /** The storage engine: `embedded`, on the local disk, or `cluster`, on EventStoreDB, MongoDB and Kafka. */
  @Variable() ENGINE = 'embedded';
  /** The directory of the embedded engine; used by one process at a time. */
  @Variable() DATA_DIR = './data';
  /** Cluster engine: EventStoreDB. */
  @Variable() EVENTSTORE_URL = 'esdb://127.0.0.1:2113?tls=false';
  /** Cluster engine: MongoDB, with the name of the database. */
  @Variable() MONGODB_URL = 'mongodb://127.0.0.1:27017/conversations';
  /** Cluster engine: how many members store a write before it is acknowledged, `majority` or `1`; both with their journal. */
  @Variable() MONGODB_WRITE_CONCERN = 'majority';
  /** Cluster engine: Kafka, host:port separated by commas. */
  @Variable() KAFKA_BROKERS = '127.0.0.1:9092';
  /** Cluster engine: the replicas of topics that are created; a start warns below 3. */
  @Variable() KAFKA_REPLICATION_FACTOR = '1';
  /** Cluster engine: stands before the name of every stream, topic, group and collection. */
  @Variable() ENGINE_PREFIX = '';
  /** The address of the operations routes of a process that serves nothing else. */
  @Variable() OPERATIONS_HOST = '127.0.0.1';
  /** Their port: 3001 for projections and 3002 for delivery when empty; 0 picks a free one and prints it. */
  @Variable() OPERATIONS_PORT = '';
  /** The first API key's full secret; generated when empty, honoured only when no key exists. */
  @Variable() BOOTSTRAP_API_KEY = '';
  /** The admin API's first password, at least 12 characters to be safe; generated when empty, honoured only when there is none. */
  @Variable() ADMIN_PASSWORD = '';
  /** Base64 of 32 bytes, encrypts secrets at rest; when empty the embedded engine generates it into DATA_DIR, the cluster refuses to start. */
  @Variable() SECRETS_KEY = '';
  /** The agent that answers messages: `scripted` (built in, offline) or `openai` (any OpenAI-compatible server). */
  @Variable() AGENT = 'scripted';
  /** AGENT=openai: the server; requests go to `${AGENT_BASE_URL}/chat/completions`. */
  @Variable() AGENT_BASE_URL = '';
  /** AGENT=openai: sent as a bearer token when set. */
  @Variable() AGENT_API_KEY = '';
  /** AGENT=openai: the model's name. */
  @Variable() AGENT_MODEL = '';
  /** AGENT=openai: a JSON object of texts, added to the query of every request to the server. */
  @Variable() AGENT_QUERY = '';
  /** AGENT=openai: a JSON object of texts, added to the headers of every request to the server. */
  @Variable() AGENT_HEADERS = '';
  /** The synchronous window of a message post. */
  @Variable() REPLY_WINDOW_MS = '30000';
  /** Idle time before a conversation ends. */
  @Variable() CONVERSATION_IDLE_MS = '1800000';
  /** The wait before each webhook attempt; its length is the number of attempts. Units ms s m h. */
  @Variable() RETRY_SCHEDULE = '0s,5s,30s,5m,30m,2h,5h,10h,24h';
  /** `gap`: waits count from the end of the attempt before; `offset`: from the first attempt. */
  @Variable() RETRY_SCHEDULE_MODE = 'gap';
  /** The largest share added to a wait by chance; 0 turns it off. */
  @Variable() RETRY_JITTER = '0.1';
  /** One deadline over DNS, connect, TLS and response headers of a webhook. */
  @Variable() WEBHOOK_TIMEOUT_MS = '15000';
  /** Accept http: endpoint URLs (development). */
  @Variable() WEBHOOK_ALLOW_HTTP = 'false';
  /** Address ranges exempt from the private-address guard, e.g. 127.0.0.0/8 (development). */
  @Variable() WEBHOOK_ALLOW_CIDRS = '';
  /** Reads per second and project, with a burst of twice that; 0 turns the limit off. */
  @Variable() RATE_LIMIT_READ = '100';
  /** Writes per second and project, likewise. */
  @Variable() RATE_LIMIT_WRITE = '100';
  /** Message posts per second and project, likewise. */
  @Variable() RATE_LIMIT_MESSAGES = '25';
  /** The log level: fatal, error, warn, info, debug, trace or silent. */
  @Variable() LOG_LEVEL = 'info';
}
