import type { IssueKind, SubjectKind } from './issue-kinds.js';

interface IssueSubject {
  readonly object: SubjectKind;
  readonly id: string;
}

export interface IssueCause {
  readonly code: string;
  readonly message: string;
}

/** What is wrong with what; the same for all its openings. */
export interface IssueDetails {
  /** Null for an issue of the installation. */
  readonly projectId: string | null;
  readonly kind: IssueKind;
  readonly subject: IssueSubject;
  /** What people call the subject, such as the host of an endpoint. */
  readonly name: string;
}

interface Happened {
  readonly at: number;
  readonly issueId: string;
}

/** `posted`: whether it is posted to the operator's webhook. */
export type IssueEvent =
  | (Happened &
      IssueDetails & {
        readonly type: 'IssueOpened';
        readonly cause: IssueCause;
        readonly firstSeenAt: number;
        readonly lastSeenAt: number;
        readonly count: number;
        /** What was counted for the subject before this issue. */
        readonly countedBefore: number;
        /** Whether the issue was closed less than ten minutes before. */
        readonly reopened: boolean;
        readonly posted: boolean;
      })
  | (Happened & {
      readonly type: 'IssueClosed';
      /** Since when its cause was over. */
      readonly overSince: number;
      readonly lastSeenAt: number;
      readonly count: number;
      readonly posted: boolean;
    })
  | (Happened & { readonly type: 'IssueDismissed' });
