import { Config, ConfigError } from './config.js';

const URL_SET = 'https://alerts.example/in?key=1';
const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;

function settingsOf(url: string, secret: string): Config['operatorWebhook'] {
  return Config.from({ OPERATOR_WEBHOOK_URL: url, OPERATOR_WEBHOOK_SECRET: secret }).operatorWebhook;
}

describe("the operator's webhook", () => {
  it('is none where none is set', () => expect(settingsOf('', '')).toBeNull());

  it.each([URL_SET, 'http://127.0.0.1:81/', 'http://monitor.internal/x'])('may be at %s', (url) =>
    expect(settingsOf(url, SECRET)).toEqual({ url, secret: SECRET }),
  );

  it('needs its secret', () =>
    expect(() => settingsOf(URL_SET, '')).toThrow(
      new ConfigError('OPERATOR_WEBHOOK_SECRET must be set when OPERATOR_WEBHOOK_URL is'),
    ));

  it('needs its address', () =>
    expect(() => settingsOf('', SECRET)).toThrow(
      new ConfigError('OPERATOR_WEBHOOK_URL must be set when OPERATOR_WEBHOOK_SECRET is'),
    ));

  it.each(['ftp://alerts.example', 'https://user:word@alerts.example', 'https://alerts.example/#part', 'alerts.example'])(
    'is refused at %s, which is not shown',
    (url) => {
      expect(() => settingsOf(url, SECRET)).toThrow(/^OPERATOR_WEBHOOK_URL must be an http: or https: URL/);
      expect(() => settingsOf(url, SECRET)).not.toThrow(url);
    },
  );

  it.each([
    ['without its prefix', SECRET.slice('whsec_'.length)],
    ['that is too short', `whsec_${Buffer.alloc(23, 1).toString('base64')}`],
    ['that is too long', `whsec_${Buffer.alloc(65, 1).toString('base64')}`],
    ['that is no Base64', 'whsec_this is not Base64 at all, is it?'],
  ])('is refused with a secret %s, which is not shown', (_, secret) => {
    expect(() => settingsOf(URL_SET, secret)).toThrow(/^OPERATOR_WEBHOOK_SECRET must be whsec_ and Base64 of 24 to 64 bytes$/);
  });
});
