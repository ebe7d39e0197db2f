import { Config, ConfigError } from './config.js';

const refusal = (environment: Record<string, string>): string => {
  try {
    Config.from(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('the settings were accepted');
};

describe('settings', () => {
  it('have the defaults of the runtime contract', () => {
    const config = Config.from({});
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      dataDir: './data',
      bootstrapApiKey: null,
      adminPassword: null,
      secretsKey: null,
      agent: { kind: 'scripted' },
      replyWindowMs: 30_000,
      conversationIdleMs: 1_800_000,
      webhookTimeoutMs: 15_000,
      webhookAllowHttp: false,
      webhookAllowCidrs: [],
      rateLimits: { read: 100, write: 100, messages: 25 },
      logLevel: 'info',
    });
    expect(config.retrySchedule).toEqual({
      waits: [0, 5_000, 30_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 86_400_000],
      mode: 'gap',
      jitter: 0.1,
    });
  });

  it('of the cluster engine are those of servers on this machine, where nothing else is said', () => {
    expect(Config.from({ ENGINE: 'cluster' })).toMatchObject({
      engine: 'cluster',
      cluster: {
        eventStoreUrl: 'esdb://127.0.0.1:2113?tls=false',
        mongodbUrl: 'mongodb://127.0.0.1:27017/conversations',
        writeConcern: 'majority',
        kafkaBrokers: ['127.0.0.1:9092'],
        replicationFactor: 1,
        prefix: '',
      },
      operationsHost: '127.0.0.1',
      operationsPort: null,
    });
    const given = { MONGODB_WRITE_CONCERN: '1', KAFKA_BROKERS: 'a.example:1, 127.0.0.1:2', ENGINE_PREFIX: 'staging-2' };
    expect(Config.from({ ...given, KAFKA_REPLICATION_FACTOR: '3' }).cluster).toMatchObject({
      writeConcern: 1,
      kafkaBrokers: ['a.example:1', '127.0.0.1:2'],
      replicationFactor: 3,
      prefix: 'staging-2',
    });
  });

  it('count as not set when they are empty', () => {
    expect(Config.from({ PORT: '', RETRY_SCHEDULE: ' ' }).port).toBe(3000);
  });

  it('are what the operator gave', () => {
    const key = { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'), BOOTSTRAP_API_KEY: `sk_${'b'.repeat(24)}` };
    const places = { HOST: '0.0.0.0', PORT: '4000', DATA_DIR: '/srv/data', LOG_LEVEL: 'silent' };
    const windows = { REPLY_WINDOW_MS: '1', CONVERSATION_IDLE_MS: '2', WEBHOOK_TIMEOUT_MS: '3' };
    const limits = { RATE_LIMIT_READ: '4', RATE_LIMIT_WRITE: '5', RATE_LIMIT_MESSAGES: '6' };
    const webhooks = { RETRY_SCHEDULE: '1s', RETRY_SCHEDULE_MODE: 'offset', RETRY_JITTER: '0.25', WEBHOOK_ALLOW_HTTP: 'true' };
    expect(Config.from({ ...key, ...places, ...windows, ...limits, ...webhooks })).toMatchObject({
      secretsKey: new Uint8Array(32).fill(7),
      bootstrapApiKey: key.BOOTSTRAP_API_KEY,
      host: '0.0.0.0',
      port: 4000,
      dataDir: '/srv/data',
      logLevel: 'silent',
      replyWindowMs: 1,
      conversationIdleMs: 2,
      webhookTimeoutMs: 3,
      rateLimits: { read: 4, write: 5, messages: 6 },
      retrySchedule: { waits: [1_000], mode: 'offset', jitter: 0.25 },
      webhookAllowHttp: true,
    });
  });

  it('are read in every unit and list they may have', () => {
    const config = Config.from({ RETRY_SCHEDULE: '0ms, 20ms,1s,2m,3h', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8, ::1/128,', PORT: '0' });
    expect(config.retrySchedule.waits).toEqual([0, 20, 1_000, 120_000, 10_800_000]);
    expect(config.webhookAllowCidrs).toEqual(['127.0.0.0/8', '::1/128']);
    expect(config.port).toBe(0);
  });

  it.each([
    ['2s', 2_000],
    ['30m', 1_800_000],
    ['5d', 432_000_000],
    ['off', null],
  ])('tell how long an endpoint may fail: %s', (text, ms) => {
    expect(Config.from({ WEBHOOK_AUTO_PAUSE_AFTER: text }).webhookAutoPauseAfterMs).toBe(ms);
    expect(Config.from({}).webhookAutoPauseAfterMs).toBe(432_000_000);
  });

  it.each([
    ['PORT', '65535', '65536'],
    ['REPLY_WINDOW_MS', '110000', '110001'],
    ['CONVERSATION_IDLE_MS', '31536000000', '31536000001'],
    ['CONVERSATION_IDLE_MS', '1', '0'],
    ['WEBHOOK_TIMEOUT_MS', '600000', '600001'],
    ['WEBHOOK_TIMEOUT_MS', '1', '0'],
    ['RATE_LIMIT_READ', '0', '-0'],
    ['RATE_LIMIT_WRITE', '0', '00000000000000000'],
    ['RATE_LIMIT_MESSAGES', '0', '0.5'],
    ['RATE_LIMIT_MESSAGES', '1000000', '1000001'],
    ['KAFKA_REPLICATION_FACTOR', '1', '0'],
    ['OPERATIONS_PORT', '65535', '65536'],
    ['ENGINE_PREFIX', 'a'.repeat(32), 'a'.repeat(33)],
    ['WEBHOOK_AUTO_PAUSE_AFTER', '365d', '366d'],
    ['WEBHOOK_AUTO_PAUSE_AFTER', '1ms', '0ms'],
    ['WEBHOOK_AUTO_PAUSE_AFTER', '12h', '12'],
    ['WEBHOOK_AUTO_PAUSE_AFTER', 'off', 'on'],
    ['RETRY_JITTER', '1', '1.01'],
    ['RETRY_JITTER', '0', '-0.1'],
    ['RETRY_SCHEDULE', '0s,720h', '0s,721h'],
    ['RETRY_SCHEDULE', '0s,'.repeat(49) + '1s', '0s,'.repeat(50) + '1s'],
    ['RETRY_SCHEDULE', '5s', '5'],
    ['RETRY_SCHEDULE', '5ms', 'in 5ms'],
    ['BOOTSTRAP_API_KEY', `sk_${'b'.repeat(24)}`, `sk_${'b'.repeat(23)}`],
    ['BOOTSTRAP_API_KEY', `sk_${'b'.repeat(252)}`, `sk_${'b'.repeat(253)}`],
    ['BOOTSTRAP_API_KEY', `sk_${'!'.repeat(24)}`, `sk_${'b'.repeat(24)} b`],
    ['SECRETS_KEY', 'A'.repeat(43), `${'A'.repeat(44)}=`],
    ['AGENT_BASE_URL', 'http://models.example', 'https://somebody@models.example'],
    ['AGENT_BASE_URL', 'https://models.example', 'https://:password@models.example'],
  ])('of %s end where they end: %s is taken, %s is not', (name, taken, refused) => {
    expect(() => Config.from({ [name]: taken })).not.toThrow();
    expect(refusal({ [name]: refused })).toContain(`${name} must be`);
  });

  it.each([
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['PORT', '1e3'],
    ['KAFKA_BROKERS', 'kafka'],
    ['KAFKA_BROKERS', 'a:1,,b:2'],
    ['KAFKA_BROKERS', 'kafka:70000'],
    ['KAFKA_BROKERS', '[::1]:9092'],
    ['KAFKA_BROKERS', 'a.example:1,[2001:db8::1]:9092'],
    ['KAFKA_BROKERS', '::1:9092'],
    ['MONGODB_WRITE_CONCERN', '2'],
    ['ENGINE_PREFIX', 'a_b'],
    ['OPERATIONS_PORT', 'none'],
    ['ENGINE', 'memory'],
    ['AGENT', 'human'],
    ['REPLY_WINDOW_MS', '-1'],
    ['REPLY_WINDOW_MS', '0'],
    ['CONVERSATION_IDLE_MS', '30m'],
    ['RETRY_SCHEDULE', '0s,soon'],
    ['RETRY_SCHEDULE', ',,'],
    ['RETRY_SCHEDULE_MODE', 'exponential'],
    ['RETRY_JITTER', '2'],
    ['WEBHOOK_TIMEOUT_MS', '15s'],
    ['WEBHOOK_ALLOW_HTTP', 'yes'],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0/33'],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0'],
    ['RATE_LIMIT_READ', 'many'],
    ['RATE_LIMIT_MESSAGES', '-5'],
    ['LOG_LEVEL', 'loud'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', '127.0.0.1:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://127.0.0.1:4317'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
    ['AGENT_BASE_URL', 'ftp://models.example/v1'],
    ['PUBLIC_URL', 'https://api.example.com/path'],
    ['PUBLIC_URL', 'api.example.com'],
  ])('of a bad form (%s=%s) are named with what they are', (name, value) => {
    expect(refusal({ [name]: value })).toMatch(new RegExp(`^${name} must be .+, but is "`));
    expect(refusal({ [name]: value })).not.toContain('\n');
  });

  it.each([
    ['EVENTSTORE_URL', 'http://admin:changeit@eventstoredb:2113'],
    ['EVENTSTORE_URL', 'esdb://a b'],
    ['MONGODB_URL', 'root:secret@mongodb:27017'],
    ['SECRETS_KEY', 'c2hvcnQ='],
    ['BOOTSTRAP_API_KEY', 'sk_short'],
    ['ADMIN_PASSWORD', 'p'.repeat(1_025)],
    ['AGENT_API_KEY', 'two\nlines'],
    ['AGENT_API_KEY', 'schl€ssel'],
    ['AGENT_BASE_URL', 'https://somebody:password@models.example/v1'],
    ['AGENT_BASE_URL', 'https://models.example/v1?key=secret'],
    ['AGENT_BASE_URL', 'https://models.example/v1#secret'],
    ['AGENT_BASE_URL', 'models.example?key=secret'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://collector.example?key=secret'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://somebody:password@collector.example'],
    ['AGENT_QUERY', 'api-version=1'],
    ['AGENT_QUERY', '{"api-version":1}'],
    ['AGENT_QUERY', '{"":"1"}'],
    ['AGENT_QUERY', '["api-version"]'],
    ['AGENT_QUERY', 'null'],
    ['AGENT_HEADERS', '{"x-key":'],
    ['AGENT_HEADERS', '{"api-key":null}'],
    ['AGENT_HEADERS', '{"api key":"secret"}'],
    ['AGENT_HEADERS', '{"api-key":"two\\nlines"}'],
    ['AGENT_HEADERS', '{"api-key":"schl€ssel"}'],
    ['AGENT_HEADERS', '{"Content-Length":"5"}'],
  ])('that are secret (%s) are refused without being shown', (name, value) => {
    expect(refusal({ [name]: value })).toContain(`${name} must be`);
    expect(refusal({ [name]: value })).not.toContain(value);
  });

  it('of tracing follow the client, keep a tenth, and send nothing, where they are not set', () => {
    expect(Config.from({}).tracing).toEqual({ endpoint: null, sampler: 'parentbased_traceidratio', ratio: 0.1 });
    const set = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
      OTEL_TRACES_SAMPLER: 'always_on',
      OTEL_TRACES_SAMPLER_ARG: '1',
    };
    expect(Config.from(set).tracing).toEqual({ endpoint: 'http://127.0.0.1:4318', sampler: 'always_on', ratio: 1 });
  });

  it('of a model-backed agent are complete or refused', () => {
    const whole = { AGENT: 'openai', AGENT_BASE_URL: 'http://127.0.0.1:9/v1', AGENT_MODEL: 'm' };
    const agent = { kind: 'openai', baseUrl: 'http://127.0.0.1:9/v1', apiKey: null, model: 'm', query: {}, headers: {} };
    expect(Config.from(whole).agent).toEqual(agent);
    for (const key of ['k', ' k\n'])
      expect(Config.from({ ...whole, AGENT_API_KEY: key }).agent).toEqual({ ...agent, apiKey: 'k' });
    const more = { AGENT_QUERY: '{"api-version":"2024-10-21"}', AGENT_HEADERS: ' {"api-key":"k","x-empty":""}' };
    expect(Config.from({ ...whole, ...more, AGENT_QUERY: '{}' }).agent).toMatchObject({ query: {} });
    expect(Config.from({ ...whole, ...more }).agent).toEqual({
      ...agent,
      query: { 'api-version': '2024-10-21' },
      headers: { 'api-key': 'k', 'x-empty': '' },
    });
    expect(refusal({ ...whole, AGENT_BASE_URL: 'https://a.example/v1?api-version=1' })).toMatch(
      /; a query goes into AGENT_QUERY$/,
    );
    expect(refusal({ ...whole, AGENT_BASE_URL: '' })).toContain('AGENT_BASE_URL');
    expect(refusal({ ...whole, AGENT_MODEL: '' })).toContain('AGENT_MODEL');
  });

  it.each([
    [' ', true],
    ['🔑'.repeat(11), true],
    [' twelve chars ', false],
    ['🔑'.repeat(12), false],
    ['🔑'.repeat(1_024), false],
  ])('have the admin password as it was given, and warn of a weak one (case %#)', (text, weak) => {
    const config = Config.from({ ADMIN_PASSWORD: text });
    expect(config.adminPassword).toBe(text);
    expect(config.warnings()).toEqual(weak ? [expect.stringContaining('ADMIN_PASSWORD')] : []);
  });

  it('warn of webhooks on hold', () => {
    expect(Config.from({ WEBHOOK_DELIVERY: 'hold' }).warnings()).toEqual([expect.stringContaining('WEBHOOK_DELIVERY is hold')]);
    expect(Config.from({ WEBHOOK_DELIVERY: 'on' }).warnings()).toEqual([]);
    expect(() => Config.from({ WEBHOOK_DELIVERY: 'off' })).toThrow(/^WEBHOOK_DELIVERY must be/);
  });

  it('warn of nothing where nothing is given', () => expect(Config.from({}).warnings()).toEqual([]));

  it.each([
    ['cluster', '', true],
    ['cluster', '2', true],
    ['cluster', '3', false],
    ['embedded', '1', false],
  ])('on the engine %s with %s replicas warn of the loss of one broker: %s', (ENGINE, KAFKA_REPLICATION_FACTOR, warned) => {
    const warnings = Config.from({ ENGINE, KAFKA_REPLICATION_FACTOR }).warnings();
    expect(warnings).toEqual(warned ? [expect.stringMatching(/^KAFKA_REPLICATION_FACTOR is [12]:/)] : []);
  });

  it('refuse an admin password without end', () => {
    expect(refusal({ ADMIN_PASSWORD: 'p'.repeat(1_025) })).toBe('ADMIN_PASSWORD must be at most 1024 characters');
  });

  it.each([
    ['KAFKA_BROKERS', 'a.example:1', {}, 'ENGINE is embedded, not cluster'],
    ['EVENTSTORE_URL', 'esdb://admin:changeit@eventstoredb:2113', {}, 'ENGINE is embedded, not cluster'],
    ['DATA_DIR', '/srv/data', { ENGINE: 'cluster', KAFKA_REPLICATION_FACTOR: '3' }, 'ENGINE is cluster, not embedded'],
    ['AGENT_BASE_URL', 'http://127.0.0.1:9/v1', {}, 'AGENT is scripted, not openai'],
  ])('warn of %s where it is set for what was not chosen, and do not show it', (name, value, given, why) => {
    expect(Config.from({ ...given, [name]: value }).warnings()).toEqual([`${name} is set and not used: ${why}`]);
  });

  it.each([
    [
      'a word for the engine that there is not',
      { ENGINE: 'clutser', KAFKA_BROKERS: 'kafka' },
      'ENGINE must be one of embedded, cluster',
    ],
    ['a bad address of the engine that was chosen', { ENGINE: 'cluster', KAFKA_BROKERS: 'kafka' }, 'KAFKA_BROKERS must be'],
  ])('refuse %s by naming that one alone', (_, given, line) => {
    expect(refusal(given)).toMatch(new RegExp(`^${line}[^;]*, but is "\\w+"$`));
  });
});
