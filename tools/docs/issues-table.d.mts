import type { ISSUE_KINDS } from '../../libs/domain/src/issue/issue-kinds.js';

export function issuesTable(kinds: typeof ISSUE_KINDS): string;
export function withIssuesTable(page: string, table: string): string;
