import { ApiSchema } from '@nestjs/swagger';
import { toIssueResource as toRendered } from '@application/issues/issue.resource';
import { ISSUE_KIND_NAMES, ISSUE_SUBJECTS, type SubjectKind } from '@domain/issue/issue-kinds';
import { ISSUE_STATUSES, type Issue } from '@domain/issue/issue';
import { withMeanings } from '../http/docs/with-meanings.js';
import {
  COUNT,
  idOf,
  idOrNull,
  KindMember,
  Member,
  one,
  oneOrNull,
  TEXT,
  TIME,
  TIME_OR_NULL,
} from '../http/docs/schemas.resource.js';
import { ISSUE_KIND, ISSUE_STATUS } from './meanings.js';

const SUBJECT: Readonly<Record<SubjectKind, string>> = {
  webhook_endpoint: 'an endpoint of the project.',
  project: 'the project itself, such as its agent.',
  read_model: 'the rows of a list.',
  component: 'a projection or a reactor.',
  server: 'a server that everything is stored on.',
  data_directory: 'the disk of the data directory.',
};

@ApiSchema({ description: 'What an issue is about.' })
export class IssueSubjectResource {
  @Member(one(...ISSUE_SUBJECTS), withMeanings('The kind of thing; only the first two concern a project.', SUBJECT))
  object!: string;
  @Member(TEXT, 'Names it: the `id` of an endpoint or project, otherwise a name.') id!: string;
}

@ApiSchema({ description: 'Why, as it was when the issue opened.' })
export class IssueCauseResource {
  @Member(
    TEXT,
    'A word such as `connection_refused`, `timeout` or `http_503`: for an endpoint that of the attempt that opened the issue.',
  )
  code!: string;
  @Member(TEXT, 'The same in one sentence, for people.') message!: string;
}

@ApiSchema({ description: 'One thing that is wrong. There is one open at most for each kind and subject.' })
export class IssueResource {
  @Member(idOf('issue'), 'Names the issue in paths.') id!: string;
  @KindMember('issue') object!: 'issue';
  @Member(one(...ISSUE_KIND_NAMES), withMeanings('What is wrong; when such an issue opens.', ISSUE_KIND)) kind!: string;
  @Member(one(...ISSUE_STATUSES), withMeanings('Whether it still is.', ISSUE_STATUS)) status!: string;
  @Member(idOrNull('project'), 'Whose issue it is; null for one of the installation, which only administrators see.')
  project_id!: string | null;
  @Member({ type: () => IssueSubjectResource }, 'What it is about.') subject!: IssueSubjectResource;
  @Member(TEXT, 'What is wrong, in a few words.') title!: string;
  @Member({ type: () => IssueCauseResource }, 'Why it opened.') cause!: IssueCauseResource;
  @Member(TEXT, 'What helps against it, in a sentence or two for people.') what_to_do!: string;
  @Member(
    COUNT,
    'How often it was seen: failed attempts of `endpoint_failing`, deliveries of `deliveries_failed`, turns of `agent_failing`; otherwise how often it was opened.',
  )
  count!: number;
  @Member(TIME, 'When it began: the first of what is counted.') first_seen_at!: string;
  @Member(TIME, 'The last of what is counted; where nothing is, when it was opened last or, of a closed one, was over.')
  last_seen_at!: string;
  @Member(TIME_OR_NULL, 'When it was closed: a minute after its cause was over; null until then.') closed_at!: string | null;
  @Member(oneOrNull('resolved'), 'Always `resolved`: its cause was over; null until then.') closed_by!: string | null;
}

// Fails to compile when the documented and the rendered shape differ.
export const toIssueResource: (issue: Issue) => IssueResource = toRendered;
