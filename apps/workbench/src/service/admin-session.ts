import { request, type Dispatcher } from 'undici';
import type { Clock } from '@ports/clock.port';
import { Patience } from './patience.js';
import { ServiceFailure } from './service-failure.js';
import { textLines } from './text-lines.js';

type Method = 'GET' | 'POST';

const UNAUTHORIZED = 401;
/** An answer may be as long as the log, and a reader that follows waits for events. */
const NO_LIMITS = { headersTimeout: 0, bodyTimeout: 0 };

/** A session of an administrator. Signs in again where it has expired; reads wait half a minute for a service that is away. */
export class AdminSession {
  private token: string | null = null;

  private constructor(
    private readonly url: string,
    private readonly password: string,
    readonly clock: Clock,
  ) {}

  /** Rejects with `ServiceFailure` where the service is away, or refuses the password. */
  static async begin(url: string, password: string, clock: Clock): Promise<AdminSession> {
    const session = new AdminSession(url, password, clock);
    await session.signIn();
    return session;
  }

  async end(): Promise<void> {
    await this.send('POST', '/admin/v1/logout').then(
      ({ body }) => body.dump(),
      () => undefined,
    );
  }

  /** Rejects with `ServiceFailure`, which has the service's message. */
  async get<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
    const patience = new Patience(this.clock);
    for (;;) {
      try {
        return await this.ask<Answer>('GET', path);
      } catch (error) {
        await patience.after(error, signal);
      }
    }
  }

  post<Answer>(path: string): Promise<Answer> {
    return this.ask<Answer>('POST', path);
  }

  /** The lines of an answer, as they come. Rejects with `ServiceFailure`, also where the answer breaks off. */
  async *lines(path: string, signal: AbortSignal): AsyncGenerator<string> {
    const { body } = await this.answered('GET', path, signal);
    try {
      yield* textLines(body);
    } catch (cause) {
      if (!signal.aborted) throw new ServiceFailure('The answer of the service broke off.', null, { cause });
    } finally {
      body.destroy();
    }
  }

  private async ask<Answer>(method: Method, path: string): Promise<Answer> {
    const { statusCode, body } = await this.answered(method, path);
    return this.jsonOf<Answer>(statusCode, await body.text());
  }

  private async answered(method: Method, path: string, signal?: AbortSignal): Promise<Dispatcher.ResponseData> {
    const answer = await this.send(method, path, null, signal);
    if (answer.statusCode !== UNAUTHORIZED) return checked(answer, method, path);
    await answer.body.dump();
    await this.signIn();
    return checked(await this.send(method, path, null, signal), method, path);
  }

  private async signIn(): Promise<void> {
    this.token = null;
    const path = '/admin/v1/login';
    const { statusCode, body } = await checked(await this.send('POST', path, { password: this.password }), 'POST', path);
    this.token = this.jsonOf<{ token: string }>(statusCode, await body.text()).token;
  }

  private jsonOf<Answer>(status: number, text: string): Answer {
    try {
      return JSON.parse(text) as Answer;
    } catch (cause) {
      throw new ServiceFailure(`${this.url} is not this service: it answers ${status} without JSON.`, status, { cause });
    }
  }

  private async send(method: Method, path: string, body: object | null = null, signal?: AbortSignal) {
    const headers = {
      ...(this.token && { authorization: `Bearer ${this.token}` }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const options = { method, headers, body: body && JSON.stringify(body), ...NO_LIMITS, ...(signal && { signal }) };
    try {
      return await request(new URL(path, this.url), options);
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      throw new ServiceFailure(`${this.url} does not answer: ${code ?? message}`, null, { cause });
    }
  }
}

async function checked(answer: Dispatcher.ResponseData, method: string, path: string): Promise<Dispatcher.ResponseData> {
  const { statusCode, body } = answer;
  if (statusCode < 400) return answer;
  const json = (await body.json().catch(() => null)) as { error?: { message?: string } } | null;
  const [route] = path.split('?');
  throw new ServiceFailure(json?.error?.message ?? `${method} ${route} was answered ${statusCode}.`, statusCode);
}
