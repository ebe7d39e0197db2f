import type { IncomingHttpHeaders } from 'node:http';

const SESSION_COOKIE = '__Host-admin_session';

const BEARER = /^Bearer +([^\s]+)$/i;

/** The session a request claims, and whether a browser sent it unasked. */
export interface PresentedToken {
  readonly token: string | null;
  readonly byCookie: boolean;
}

/** An `Authorization` header counts alone: a bad one is not saved by a good cookie. */
export function presentedToken({ authorization, cookie }: IncomingHttpHeaders): PresentedToken {
  if (authorization !== undefined) return { token: BEARER.exec(authorization)?.[1] ?? null, byCookie: false };
  return { token: cookieValue(cookie ?? ''), byCookie: true };
}

/** `Set-Cookie` for a session; a lapsed one when it ends. Without `Secure` and `Path=/` browsers refuse the prefix. */
export function sessionCookie(token: string, seconds: number): string {
  return `${SESSION_COOKIE}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Strict`;
}

function cookieValue(header: string): string | null {
  for (const pair of header.split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === SESSION_COOKIE && value !== undefined) return value;
  }
  return null;
}
