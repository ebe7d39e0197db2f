import { Config } from './config.js';

describe('settings, as the log shows them,', () => {
  it('are described without any secret', () => {
    const secrets = {
      SECRETS_KEY: `${'A'.repeat(43)}=`,
      BOOTSTRAP_API_KEY: `sk_${'b'.repeat(30)}`,
      ADMIN_PASSWORD: 'c'.repeat(20),
      EVENTSTORE_URL: 'esdb://admin:changeit@eventstoredb:2113',
      MONGODB_URL: 'mongodb://root:secret@mongodb:27017',
      AGENT_QUERY: '{"key":"secret-of-a-query"}',
      AGENT_HEADERS: '{"api-key":"secret-of-a-header"}',
    };
    const model = { AGENT: 'openai', AGENT_BASE_URL: 'http://127.0.0.1:9/v1', AGENT_MODEL: 'm' };
    const described = Config.from({ ENGINE: 'cluster', ...model, ...secrets }).describe();
    for (const [name, value] of Object.entries(secrets)) {
      expect(described[name]).toBe('configured: yes');
      expect(JSON.stringify(described)).not.toContain(value);
    }
    for (const name of ['AGENT_API_KEY', 'EVENTSTORE_URL', 'MONGODB_URL']) {
      expect(Config.from({ ENGINE: 'cluster', ...model }).describe()[name]).toBe('configured: no');
    }
  });

  it.each([
    [{}, ['ENGINE', 'DATA_DIR', 'AGENT'], /^(EVENTSTORE|MONGODB|KAFKA|ENGINE_PREFIX|AGENT_)/],
    [{ ENGINE: 'cluster' }, ['ENGINE', 'KAFKA_BROKERS', 'MONGODB_URL'], /^(DATA_DIR|AGENT_)/],
  ])('are described with those that are in force alone (%j)', (given, shown, hidden) => {
    const names = Object.keys(Config.from(given).describe());
    expect(names).toEqual(expect.arrayContaining(shown));
    expect(names.filter((name) => hidden.test(name))).toEqual([]);
  });
});
