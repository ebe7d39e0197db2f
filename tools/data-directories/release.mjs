/** Test credentials, valid only for what is made with them. */
export const API_KEY = 'sk_data_directory_0123456789abcdef';
export const ADMIN_PASSWORD = 'correct horse battery staple';

export const SETTINGS = {
  HOST: '127.0.0.1',
  PORT: '0',
  AGENT: 'scripted',
  BOOTSTRAP_API_KEY: API_KEY,
  ADMIN_PASSWORD,
  RATE_LIMIT_READ: '0',
  RATE_LIMIT_WRITE: '0',
  RATE_LIMIT_MESSAGES: '0',
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  // No retry is due an hour later, when what was made is opened.
  RETRY_SCHEDULE: '0s,5h',
};

/** A release that runs and takes requests at `url`. */
export class Release {
  url = '';

  /** Returns the parts of the answer to record. Without a body it sends no content type. */
  async send(method, path, { body, key, token = API_KEY } = {}) {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const response = await fetch(this.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const shown = ['content-type', 'etag', 'location', 'request-id', 'service-should-retry'];
    const answered = shown.filter((name) => response.headers.has(name)).map((name) => [name, response.headers.get(name)]);
    return { status: response.status, headers: Object.fromEntries(answered), body: await response.text() };
  }
}
