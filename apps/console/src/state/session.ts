import { computed, signal } from '@preact/signals';
import { Problem, unreachable } from '../api/problem.js';

interface Session {
  readonly csrfToken: string;
  readonly expiresAt: string;
}

/** Undefined until it was asked for; null when there is none. */
const current = signal<Session | null | undefined>(undefined);
/** Whether a session ended while the console was open. */
export const isOver = signal(false);
export const session = computed(() => current.value);

const waiting: (() => void)[] = [];

const SESSION = '/admin/v1/session';
const JSON_BODY = { 'content-type': 'application/json' };

async function readSession(): Promise<Session | null> {
  const answer = await fetch(SESSION, { headers: { accept: 'application/json' } }).catch(unreachable);
  if (answer.status === 401) return null;
  if (!answer.ok) throw await refusalOf(answer);
  const { csrf_token: csrfToken, expires_at: expiresAt } = (await answer.json()) as { csrf_token: string; expires_at: string };
  return { csrfToken, expiresAt };
}

export async function loadSession(): Promise<void> {
  current.value = await readSession();
}

/** @returns whether the browser kept the session. Rejects with the refusal. */
export async function signIn(password: string): Promise<boolean> {
  const login = new Request('/admin/v1/login', { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ password }) });
  const answer = await fetch(login).catch(unreachable);
  if (!answer.ok) throw await refusalOf(answer);
  const kept = await readSession();
  if (!kept) return false;
  current.value = kept;
  isOver.value = false;
  for (const goOn of waiting.splice(0)) goOn();
  return true;
}

/** Rejects where the session may go on. */
export async function signOut(): Promise<void> {
  const answer = await sendSigned(new Request('/admin/v1/logout', { method: 'POST' })).catch(unreachable);
  if (!answer.ok && answer.status !== 401) throw await refusalOf(answer);
  current.value = null;
}

/** Adds the CSRF token; asks for the password over the page where the session has ended, and then sends the request again. */
export async function sendInSession(request: Request): Promise<Response> {
  const repeated = request.clone();
  const answer = await sendSigned(request);
  if (answer.status !== 401 || (await isWrongPassword(answer))) return answer;
  isOver.value = true;
  await new Promise<void>((resolve) => waiting.push(resolve));
  return sendSigned(repeated);
}

/** What asks for the password within a session is refused without the session's end. */
async function isWrongPassword(answer: Response): Promise<boolean> {
  return (await refusalOf(answer.clone())).code === 'admin_password_invalid';
}

/** Sends a request that was refused again, where another tab has begun a session with another token. */
async function sendSigned(request: Request): Promise<Response> {
  const repeated = request.clone();
  const before = current.value?.csrfToken;
  const answer = await fetch(signed(request));
  if (answer.status !== 403) return answer;
  const now = await readSession();
  if (now === null || now.csrfToken === before) return answer;
  current.value = now;
  return fetch(signed(repeated));
}

function signed(request: Request): Request {
  if (request.method !== 'GET') request.headers.set('x-csrf-token', current.value?.csrfToken ?? '');
  return request;
}

async function refusalOf(answer: Response): Promise<Problem> {
  const body = (await answer.json().catch(() => ({}))) as { error?: { code: string; message: string } };
  const { code = `http_${answer.status}`, message = `HTTP ${answer.status}` } = body.error ?? {};
  return new Problem(code, message, answer.headers.get('request-id'), answer.status);
}
