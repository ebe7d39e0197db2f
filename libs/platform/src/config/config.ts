import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { PASSWORD_CHARACTERS } from '@ports/setting-bounds';
import { Settings, type OperatorWebhook, type RateLimits } from '@ports/settings.port';
import { EnvDto, READERS, SETTINGS, VERBATIM_VARIABLES, type Variable } from './env.dto.js';

/** A setting that prevents the start. The message is the single line that is printed. */
export class ConfigError extends Error {
  constructor(line: string) {
    super(line);
    this.name = 'ConfigError';
  }
}

export type AgentChoice =
  | { readonly kind: 'scripted' }
  | {
      readonly kind: 'openai';
      readonly baseUrl: string;
      readonly apiKey: string | null;
      readonly model: string;
      readonly query: Readonly<Record<string, string>>;
      readonly headers: Readonly<Record<string, string>>;
    };

const USUAL = new EnvDto();

/** One replica can be lost while another restarts. */
const SAFE_REPLICAS = 3;

type Value<Name extends Variable> = ReturnType<(typeof READERS)[Name]>;

/** A base class, because the field initialisers of `Config` read from it. */
abstract class ReadEnvironment extends Settings {
  constructor(protected readonly env: EnvDto) {
    super();
  }

  protected read<Name extends Variable>(name: Name): Value<Name> {
    return READERS[name](this.env[name]) as Value<Name>;
  }

  protected readIfSet<Name extends Variable>(name: Name): Value<Name> | null {
    return this.env[name] === '' ? null : this.read(name);
  }
}

export class Config extends ReadEnvironment {
  readonly host = this.read('HOST');
  readonly port = this.read('PORT');
  readonly publicUrl = this.readIfSet('PUBLIC_URL');
  readonly engine = this.read('ENGINE');
  readonly dataDir = this.read('DATA_DIR');
  readonly cluster = {
    eventStoreUrl: this.read('EVENTSTORE_URL'),
    mongodbUrl: this.read('MONGODB_URL'),
    writeConcern: this.read('MONGODB_WRITE_CONCERN') === '1' ? 1 : ('majority' as const),
    kafkaBrokers: this.read('KAFKA_BROKERS'),
    replicationFactor: this.read('KAFKA_REPLICATION_FACTOR'),
    prefix: this.readIfSet('ENGINE_PREFIX') ?? '',
  } as const;
  readonly operationsHost = this.read('OPERATIONS_HOST');
  /** Null: the default of the process. */
  readonly operationsPort = this.readIfSet('OPERATIONS_PORT');
  readonly bootstrapApiKey = this.readIfSet('BOOTSTRAP_API_KEY');
  readonly adminPassword = this.readIfSet('ADMIN_PASSWORD');
  readonly secretsKey = this.readIfSet('SECRETS_KEY');
  readonly agent: AgentChoice = this.readAgent();
  readonly tracing = {
    /** Null where nothing is traced. */
    endpoint: this.readIfSet('OTEL_EXPORTER_OTLP_ENDPOINT'),
    sampler: this.read('OTEL_TRACES_SAMPLER'),
    ratio: this.read('OTEL_TRACES_SAMPLER_ARG'),
  };
  readonly logLevel = this.read('LOG_LEVEL');
  override readonly replyWindowMs = this.read('REPLY_WINDOW_MS');
  override readonly conversationIdleMs = this.read('CONVERSATION_IDLE_MS');
  override readonly rateLimits: RateLimits = {
    read: this.read('RATE_LIMIT_READ'),
    write: this.read('RATE_LIMIT_WRITE'),
    messages: this.read('RATE_LIMIT_MESSAGES'),
  };
  override readonly retrySchedule = {
    waits: this.read('RETRY_SCHEDULE'),
    mode: this.read('RETRY_SCHEDULE_MODE'),
    jitter: this.read('RETRY_JITTER'),
  };
  override readonly webhookTimeoutMs = this.read('WEBHOOK_TIMEOUT_MS');
  override readonly webhookDelivery = this.read('WEBHOOK_DELIVERY');
  override readonly webhookAutoPauseAfterMs = this.read('WEBHOOK_AUTO_PAUSE_AFTER');
  override readonly webhookAllowHttp = this.read('WEBHOOK_ALLOW_HTTP');
  override readonly webhookAllowCidrs = this.readIfSet('WEBHOOK_ALLOW_CIDRS') ?? [];
  override readonly operatorWebhook = this.readOperatorWebhook();

  /** Reads the environment; the first bad value throws a `ConfigError` that names its variable. */
  static from(environment: Readonly<Record<string, string | undefined>>): Config {
    const given = Object.fromEntries(
      Object.keys(READERS)
        .map((name) => [name, VERBATIM_VARIABLES.has(name) ? environment[name] : environment[name]?.trim()] as const)
        .filter(([, text]) => text !== undefined && text !== ''),
    );
    const env = plainToInstance(EnvDto, given, { exposeDefaultValues: true });
    const [problem] = validateSync(env);
    if (problem) throw new ConfigError(Object.values(problem.constraints ?? {}).join('; '));
    return new Config(env);
  }

  /** The settings in force, for a log line: secrets hidden, without those of an unused engine or agent. */
  describe(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      [...SETTINGS]
        .filter(([name]) => this.isInForce(name))
        .map(([name, { isSecret }]) => [name, isSecret ? `configured: ${this.isUsual(name) ? 'no' : 'yes'}` : this.env[name]]),
    );
  }

  warnings(): readonly string[] {
    const { least } = PASSWORD_CHARACTERS;
    const { replicationFactor } = this.cluster;
    const warnings: string[] = [];
    if (this.webhookDelivery === 'hold') {
      warnings.push('WEBHOOK_DELIVERY is hold: no webhook is sent until a start with on');
    }
    if (this.adminPassword !== null && [...this.adminPassword].length < least) {
      warnings.push(`ADMIN_PASSWORD is shorter than the ${least} characters of a safe password`);
    }
    if (this.engine === 'cluster' && replicationFactor < SAFE_REPLICAS) {
      const risk = `with fewer than ${SAFE_REPLICAS}, the loss of one broker loses messages`;
      warnings.push(`KAFKA_REPLICATION_FACTOR is ${replicationFactor}: ${risk}`);
    }
    return [...warnings, ...this.unused()];
  }

  private unused(): readonly string[] {
    return [...SETTINGS].flatMap(([name, { onlyIf }]) =>
      onlyIf === null || this.isInForce(name) || this.isUsual(name)
        ? []
        : [`${name} is set and not used: ${onlyIf.variable} is ${this.env[onlyIf.variable]}, not ${onlyIf.value}`],
    );
  }

  private isInForce(name: Variable): boolean {
    const onlyIf = SETTINGS.get(name)?.onlyIf ?? null;
    return onlyIf === null || this.env[onlyIf.variable] === onlyIf.value;
  }

  private isUsual(name: Variable): boolean {
    return this.env[name] === USUAL[name];
  }

  private readOperatorWebhook(): OperatorWebhook | null {
    const url = this.readIfSet('OPERATOR_WEBHOOK_URL');
    const secret = this.readIfSet('OPERATOR_WEBHOOK_SECRET');
    if (url === null && secret === null) return null;
    if (url === null) throw new ConfigError('OPERATOR_WEBHOOK_URL must be set when OPERATOR_WEBHOOK_SECRET is');
    if (secret === null) throw new ConfigError('OPERATOR_WEBHOOK_SECRET must be set when OPERATOR_WEBHOOK_URL is');
    return { url, secret };
  }

  private readAgent(): AgentChoice {
    if (this.read('AGENT') === 'scripted') return { kind: 'scripted' };
    const baseUrl = this.readIfSet('AGENT_BASE_URL');
    const model = this.readIfSet('AGENT_MODEL');
    if (baseUrl === null) throw new ConfigError('AGENT_BASE_URL must be set when AGENT is openai');
    if (model === null) throw new ConfigError('AGENT_MODEL must be set when AGENT is openai');
    const [query, headers] = [this.readIfSet('AGENT_QUERY') ?? {}, this.readIfSet('AGENT_HEADERS') ?? {}];
    return { kind: 'openai', baseUrl, apiKey: this.readIfSet('AGENT_API_KEY'), model, query, headers };
  }
}
