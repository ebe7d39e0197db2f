import { registerDecorator, type ValidationArguments } from 'class-validator';
import { MAX_REPLY_WINDOW_MS, MAX_REQUESTS_PER_SECOND, SAMPLERS } from '@ports/setting-bounds';
import { DAY_MS } from '@ports/time-units';
import {
  addresses,
  anyText,
  apiKeySecret,
  base64Key,
  cidrs,
  connectionString,
  durationOrOff,
  headerText,
  headerTexts,
  httpUrl,
  namePrefix,
  oneOf,
  originUrl,
  password,
  postUrl,
  queryTexts,
  schedule,
  share,
  signingSecret,
  truth,
  Unreadable,
  wholeNumber,
  type Reader,
} from './readers.js';

/** The reader of each variable. An empty text counts as not set. */
export const READERS = {
  HOST: anyText,
  PORT: wholeNumber(0, 65_535),
  PUBLIC_URL: originUrl,
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
  AGENT_BASE_URL: httpUrl('; a query goes into AGENT_QUERY'),
  AGENT_API_KEY: headerText,
  AGENT_MODEL: anyText,
  AGENT_QUERY: queryTexts,
  AGENT_HEADERS: headerTexts,
  REPLY_WINDOW_MS: wholeNumber(1, MAX_REPLY_WINDOW_MS),
  CONVERSATION_IDLE_MS: wholeNumber(1, 365 * DAY_MS),
  RETRY_SCHEDULE: schedule,
  RETRY_SCHEDULE_MODE: oneOf('gap', 'offset'),
  RETRY_JITTER: share(1),
  WEBHOOK_TIMEOUT_MS: wholeNumber(1, 600_000),
  WEBHOOK_DELIVERY: oneOf('on', 'hold'),
  WEBHOOK_AUTO_PAUSE_AFTER: durationOrOff,
  WEBHOOK_ALLOW_HTTP: truth,
  WEBHOOK_ALLOW_CIDRS: cidrs,
  OPERATOR_WEBHOOK_URL: postUrl,
  OPERATOR_WEBHOOK_SECRET: signingSecret,
  RATE_LIMIT_READ: wholeNumber(0, MAX_REQUESTS_PER_SECOND),
  RATE_LIMIT_WRITE: wholeNumber(0, MAX_REQUESTS_PER_SECOND),
  RATE_LIMIT_MESSAGES: wholeNumber(0, MAX_REQUESTS_PER_SECOND),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl(''),
  OTEL_TRACES_SAMPLER: oneOf(...SAMPLERS),
  OTEL_TRACES_SAMPLER_ARG: share(1),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
} satisfies Record<string, Reader<unknown>>;

export type Variable = keyof typeof READERS;

export const APPS = ['gateway', 'projections', 'delivery'] as const;

/** The documentation of a setting; `docs/operations/settings.md` is generated from it. */
export interface Setting {
  readonly about: string;
  /** The apps that read it. The single process is all of them, without operations routes of its own. */
  readonly apps: readonly (typeof APPS)[number][];
  readonly isSecret: boolean;
  /** The setting and value it depends on; null if it is always used. */
  readonly onlyIf: { readonly variable: Variable; readonly value: string } | null;
}

const declared = new Map<Variable, Setting>();

export const SETTINGS: ReadonlyMap<Variable, Setting> = declared;

export const VERBATIM_VARIABLES: ReadonlySet<string> = new Set<Variable>(['ADMIN_PASSWORD']);

function Variable(about: string, { apps = APPS, isSecret = false, onlyIf = null }: Partial<Omit<Setting, 'about'>> = {}) {
  return (target: object, propertyName: string) => {
    declared.set(propertyName as Variable, { about, apps, isSecret, onlyIf });
    registerDecorator({
      name: 'readable',
      target: target.constructor,
      propertyName,
      validator: {
        validate: (text: unknown) => complaint(propertyName as Variable, text) === null,
        defaultMessage: (args?: ValidationArguments) => complaint(propertyName as Variable, args?.value) ?? '',
      },
    });
  };
}

function complaint(name: Variable, text: unknown): string | null {
  try {
    if (typeof text === 'string' && text !== '') READERS[name](text);
    return null;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const found = SETTINGS.get(name)?.isSecret || error.isPrivate ? '' : `, but is ${JSON.stringify(text)}`;
    return `${name} must be ${error.message}${found}`;
  }
}

const EMBEDDED = { variable: 'ENGINE', value: 'embedded' } as const;
const CLUSTER = { variable: 'ENGINE', value: 'cluster' } as const;
const OPENAI = { variable: 'AGENT', value: 'openai' } as const;

const GATEWAY = ['gateway'] as const;
const WORKERS = ['projections', 'delivery'] as const;
/** The app that runs projections, reactors and sweeps. */
const PROJECTING = ['projections'] as const;
/** The apps that ask the agent: the sweeps repeat a turn whose process died. */
const ASKING = ['gateway', 'projections'] as const;
/** The gateway checks endpoints at registration, and documents the time limit. */
const SENDING = ['gateway', 'delivery'] as const;

/** The app that judges issues. */
const TELLING = ['projections'] as const;

/** Every variable as text, with its default. `Config` holds the values. */
export class EnvDto {
  @Variable('the address that the gateway listens on', { apps: GATEWAY })
  HOST = '127.0.0.1';
  @Variable('the port of the gateway; `0` picks a free one and prints it', { apps: GATEWAY })
  PORT = '3000';
  @Variable(
    'where clients reach the service, for example `https://api.example.com`; `/openapi.json` and `/docs` name it. When empty they name the host that they were asked at, over `http:`',
    { apps: GATEWAY },
  )
  PUBLIC_URL = '';
  @Variable(
    'where everything is stored: `embedded`, on the local disk, or `cluster`, on [EventStoreDB, MongoDB and Kafka](cluster.md)',
  )
  ENGINE = 'embedded';
  @Variable("the embedded engine's files; one process at a time, a second one is refused", { apps: GATEWAY, onlyIf: EMBEDDED })
  DATA_DIR = './data';
  @Variable('EventStoreDB or KurrentDB; `tls=false` is the permission to send events and passwords unencrypted', {
    onlyIf: CLUSTER,
    isSecret: true,
  })
  EVENTSTORE_URL = 'esdb://127.0.0.1:2113?tls=false';
  @Variable('MongoDB, with the name of the database', { onlyIf: CLUSTER, isSecret: true })
  MONGODB_URL = 'mongodb://127.0.0.1:27017/conversations';
  @Variable('how many members store a write before it is acknowledged, `majority` or `1`; both with their journal', {
    onlyIf: CLUSTER,
  })
  MONGODB_WRITE_CONCERN = 'majority';
  @Variable('Kafka, `host:port` separated by commas; an IPv6 address needs a name', { onlyIf: CLUSTER })
  KAFKA_BROKERS = '127.0.0.1:9092';
  @Variable('the replicas of topics that are created; a start warns below 3', { onlyIf: CLUSTER })
  KAFKA_REPLICATION_FACTOR = '1';
  @Variable('prefix of the name of every stream, topic, group and collection', { onlyIf: CLUSTER })
  ENGINE_PREFIX = '';
  @Variable('where a projections or delivery process serves `/health`, `/ready` and `/metrics`', { apps: WORKERS })
  OPERATIONS_HOST = '127.0.0.1';
  @Variable('the port of these: `3001` for projections and `3002` for delivery when empty, `0` picks a free one and prints it', {
    apps: WORKERS,
  })
  OPERATIONS_PORT = '';
  @Variable(
    "the first API key's full secret: `sk_` and at least 24 characters; generated when empty, used only while no key exists. A start on which no active key has it warns of that",
    { apps: GATEWAY, isSecret: true },
  )
  BOOTSTRAP_API_KEY = '';
  @Variable(
    "the admin API's first password, at least 12 characters to be safe; generated when empty, used only while none exists. A start on which it is not in force warns of that",
    { apps: GATEWAY, isSecret: true },
  )
  ADMIN_PASSWORD = '';
  @Variable(
    'Base64 of 32 bytes, encrypts secrets at rest; when empty, generated into `DATA_DIR` as `secrets.key`. The cluster engine refuses to start without it',
    { isSecret: true },
  )
  SECRETS_KEY = '';
  @Variable('the agent that answers messages: `scripted` (built in, offline) or `openai` (any OpenAI-compatible server)', {
    apps: ASKING,
  })
  AGENT = 'scripted';
  @Variable('the model server; requests go to `${AGENT_BASE_URL}/chat/completions`', { apps: ASKING, onlyIf: OPENAI })
  AGENT_BASE_URL = '';
  @Variable('sent as a bearer token when set', { apps: ASKING, onlyIf: OPENAI, isSecret: true })
  AGENT_API_KEY = '';
  @Variable("the model's name", { apps: ASKING, onlyIf: OPENAI })
  AGENT_MODEL = '';
  @Variable(
    'a JSON object of texts, added to the query of every request to the model server, for example `{"api-version":"2024-10-21"}` ([how](../agents.md#the-model-backed-agent))',
    { apps: ASKING, onlyIf: OPENAI, isSecret: true },
  )
  AGENT_QUERY = '';
  @Variable('a JSON object of texts, added to the headers of every request to the model server, for example `{"api-key":"…"}`', {
    apps: ASKING,
    onlyIf: OPENAI,
    isSecret: true,
  })
  AGENT_HEADERS = '';
  @Variable('the synchronous window of a message post, in milliseconds', { apps: ASKING })
  REPLY_WINDOW_MS = '30000';
  @Variable('idle time after which a conversation ends, in milliseconds', { apps: ASKING })
  CONVERSATION_IDLE_MS = '1800000';
  @Variable('the wait before each webhook attempt; its length is the number of attempts. Units `ms` `s` `m` `h`')
  RETRY_SCHEDULE = '0s,5s,30s,5m,30m,2h,5h,10h,24h';
  @Variable('`gap`: a wait counts from the end of the attempt before; `offset`: from the first attempt')
  RETRY_SCHEDULE_MODE = 'gap';
  @Variable('the largest share of a wait that is added to it at random; `0` turns it off')
  RETRY_JITTER = '0.1';
  @Variable(
    'one deadline over DNS, connect, TLS and response headers of a webhook, in milliseconds; the body gets one more second',
    { apps: SENDING },
  )
  WEBHOOK_TIMEOUT_MS = '15000';
  @Variable('`hold`: no webhook is sent, everything else works; for a [restored copy](backup.md#restore-a-copy)')
  WEBHOOK_DELIVERY = 'on';
  @Variable(
    'how long a webhook endpoint may fail before it is [paused](webhooks.md#endpoints-that-fail-for-long), or `off`. Units `ms` `s` `m` `h` `d`',
    { apps: PROJECTING },
  )
  WEBHOOK_AUTO_PAUSE_AFTER = '5d';
  @Variable('accept `http:` endpoint URLs (development)', { apps: SENDING })
  WEBHOOK_ALLOW_HTTP = 'false';
  @Variable('address ranges that the private-address guard lets through, for example `127.0.0.0/8` (development)', {
    apps: SENDING,
  })
  WEBHOOK_ALLOW_CIDRS = '';
  @Variable(
    'where [issues](monitoring.md#issues) are posted when they open and close, `http:` too, on any address; nobody is told when empty',
    { apps: TELLING, isSecret: true },
  )
  OPERATOR_WEBHOOK_URL = '';
  @Variable('`whsec_` and Base64 of 24 to 64 bytes: signs these posts. Neither is set without the other', {
    apps: TELLING,
    isSecret: true,
  })
  OPERATOR_WEBHOOK_SECRET = '';
  @Variable('reads per second and project, burst twice that, in equal shares of the living gateways; `0` turns the limit off', {
    apps: GATEWAY,
  })
  RATE_LIMIT_READ = '100';
  @Variable('writes per second and project, in the same way', { apps: GATEWAY })
  RATE_LIMIT_WRITE = '100';
  @Variable('message posts per second and project, in the same way', { apps: GATEWAY })
  RATE_LIMIT_MESSAGES = '25';
  @Variable(
    'the base URL of an OpenTelemetry collector that takes OTLP over HTTP, for example `http://127.0.0.1:4318`; spans are made and sent only where it is set ([how](tracing.md))',
  )
  OTEL_EXPORTER_OTLP_ENDPOINT = '';
  @Variable(
    `which traces are kept: ${SAMPLERS.map((name) => `\`${name}\``).join(', ')}. \`parentbased_…\` keeps those that the client keeps`,
  )
  OTEL_TRACES_SAMPLER = 'parentbased_traceidratio';
  @Variable('the share of traces that a sampler with `ratio` in its name keeps')
  OTEL_TRACES_SAMPLER_ARG = '0.1';
  @Variable('`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`')
  LOG_LEVEL = 'info';
}
