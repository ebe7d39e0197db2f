import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page, Response } from 'playwright-core';
import { ADMIN_PASSWORD } from '../../e2e/harness/app.js';

/** Ends what hangs; a busy machine may take long to show a page. */
const WITHIN_MS = 60_000;

/** The only refusal that every visit meets: the first question for a session. */
const FIRST_QUESTION = '401 /admin/v1/session';
const REFUSED = /^Failed to load resource: the server responded with a status of (\d+)/;

/** Tells of what the content security policy stops, also where the browser itself says nothing. */
function tellOfViolations(): void {
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    // oxlint-disable-next-line eslint/no-console
    console.error(`policy violated: ${effectiveDirective} by ${blockedURI}`),
  );
}

/** One person's browser window, without cookies at first. It writes down everything that a page does wrong. */
export class Visit {
  private found: string[] = [];
  private readonly expected: RegExp[] = [];
  private readonly hosts: string[];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly url: string,
  ) {
    this.hosts = [new URL(url).host];
    context.on('console', (message) => this.hear(message));
    context.on('weberror', (failure) => void this.found.push(`error in the page: ${failure.error().message}`));
    context.on('request', (request) => this.see(request.url()));
  }

  static async open(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(WITHIN_MS);
    await context.addInitScript(tellOfViolations);
    return new Visit(context, await context.newPage(), url);
  }

  /** Policy violations, errors of pages, refused requests that were not expected, and requests to other hosts. */
  get faults(): readonly string[] {
    return this.found.filter((fault) => !this.expected.some((pattern) => pattern.test(fault)));
  }

  /** Faults that this test causes: `403 /admin/v1/login`, or the words of an error. */
  expects(...faults: readonly RegExp[]): void {
    this.expected.push(...faults);
  }

  /** Lets pages of another host be opened. */
  alsoGoesTo(url: string): void {
    this.hosts.push(new URL(url).host);
  }

  /** Opens an address of the console, signed in if it asks for the password. */
  async goTo(path: string): Promise<void> {
    await this.page.goto(path);
    const password = this.page.getByLabel('Admin password');
    const heading = this.page.locator('main h1');
    await heading.first().waitFor();
    if (await password.isVisible()) await this.signIn();
    await this.settled();
  }

  async signIn(password = ADMIN_PASSWORD): Promise<void> {
    await this.page.getByLabel('Admin password').fill(password);
    const answered = this.page.waitForResponse('**/admin/v1/login');
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    if ((await answered).ok()) await this.page.getByRole('button', { name: 'Sign out' }).waitFor();
  }

  /** Resolves once the place shows what it has asked for. */
  async settled(): Promise<void> {
    await this.page.locator('#content h1').first().waitFor();
    await this.page.waitForFunction(() => {
      const content = document.querySelector('#content');
      const isBusy = content?.querySelector('[aria-busy=true]') !== null;
      return !isBusy && !content?.textContent.includes('Loading …');
    });
  }

  /** The token of the session, which is its cookie. */
  async sessionToken(): Promise<string> {
    const cookies = await this.context.cookies();
    return cookies.find(({ name }) => name === '__Host-admin_session')?.value ?? '';
  }

  /** The next answer to a request of this method to a path that ends so. */
  answerTo(method: string, path: string): Promise<Response> {
    return this.page.waitForResponse(
      (answer) => answer.request().method() === method && new URL(answer.url()).pathname.endsWith(path),
    );
  }

  close(): Promise<void> {
    return this.context.close();
  }

  private hear(message: ConsoleMessage): void {
    if (message.type() !== 'error') return;
    const [, status] = REFUSED.exec(message.text()) ?? [];
    const fault = status === undefined ? message.text() : `${status} ${new URL(message.location().url).pathname}`;
    if (fault !== FIRST_QUESTION) this.found.push(fault);
  }

  private see(url: string): void {
    const { protocol, host } = new URL(url);
    if (/^https?:$/.test(protocol) && !this.hosts.includes(host)) this.found.push(`request to ${host}`);
  }
}
