/** A request to the admin API, without its body. */
export interface AuditedRequest {
  /** The session that sent it, or that it opened; null without one. */
  readonly sessionId: string | null;
  /** Method and route, with names of parameters in place of their values. */
  readonly action: string;
  readonly projectId: string | null;
  readonly subject: AuditSubject | null;
  /** The client's address, as the connection has it. */
  readonly address: string;
  readonly status: number;
  /** The code of an error; null for any other answer. */
  readonly code: string | null;
}

/** What a request was about: the kind of resource, as answers name it, and its id. */
export interface AuditSubject {
  readonly object: string;
  readonly id: string;
}

export interface RequestAudited extends AuditedRequest {
  readonly type: 'RequestAudited';
  readonly at: number;
  readonly entryId: string;
}

export type AuditEvent = RequestAudited;
