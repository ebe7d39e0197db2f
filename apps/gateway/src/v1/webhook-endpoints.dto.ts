import { ApiSchema } from '@nestjs/swagger';
import { TestEndpoint } from '@application/webhooks/delivery.commands';
import { TryFilters } from '@application/webhooks/explain/explain.queries';
import { RegisterEndpoint, RotateEndpointSecret, UpdateEndpoint } from '@application/webhooks/endpoints/endpoint.commands';
import type { RequestContext } from '@application/runtime/request-context';
import {
  HEADER_NAME_PATTERN,
  HEADER_VALUE_PATTERN,
  headersObjection,
  MASKED_VALUE,
  MAX_HEADERS,
} from '@domain/endpoint/custom-headers';
import { MAX_URL_CHARACTERS } from '@domain/endpoint/endpoint';
import { EVENT_FILTER_PATTERN, isEventFilter, MAX_EVENT_FILTER_LENGTH } from '@domain/endpoint/event-filter';
import { EMITTED_TYPES, type EmittedType } from '@domain/appointment/emission';
import { GIVEN_STATUSES, type GivenStatus } from '@domain/endpoint/endpoint.events';
import { type FieldOptions, FlagField, MetadataField, PatternField, TextField } from '../http/fields/fields.js';
import { rule, withRules } from '../http/fields/rules.js';
import { withMeanings } from '../http/docs/with-meanings.js';
import { ENDPOINT_STATUS, EVENT_TYPE } from './meanings.js';
import { unmatched } from './event-filters.js';
import { JsonText } from '@domain/kernel/json-text';
import { METADATA_BOUNDS, MetadataText } from '../http/body/metadata-text.js';
import {
  EnumField,
  GraceField,
  IntegerField,
  ObjectField,
  readGrace,
  TextListField,
  USUAL_GRACE_SECONDS,
} from '../http/fields/value-fields.js';

const GIVEN_STATUS: Readonly<Record<GivenStatus, string>> = {
  enabled: 'matching events are sent to it; a paused one is resumed.',
  disabled: ENDPOINT_STATUS.disabled,
};

const MAX_FILTERS = 50;
const MAX_RATE_PER_SECOND = 1_000;
const UNPRINTED = '\\\\\\s\\u0000-\\u001f\\u007f-\\u009f';
const URL_PATTERN = `^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@${UNPRINTED}]+([/?][^#${UNPRINTED}]*)?$`;
const DESCRIPTION = { max: 1000, description: "The client's own note about the endpoint; in a change, null removes it." };

const FILTERS = {
  description:
    'Which events are sent: exact types such as `appointment.created`, `appointment.*`, or `*`. An empty list means all, and so does none at registration. A change applies to later events only.',
  example: ['appointment.*'],
};

function FiltersField(about: FieldOptions): PropertyDecorator {
  const schema = { pattern: EVENT_FILTER_PATTERN, maxLength: MAX_EVENT_FILTER_LENGTH };
  const isFilter = (value: unknown) => typeof value !== 'string' || isEventFilter(value);
  const judge = rule('event_filter_invalid', isFilter, 'takes kinds such as appointment.created, appointment.* or *');
  return TextListField(MAX_FILTERS, { schema, judge }, about);
}

function HeadersField(): PropertyDecorator {
  const schema = {
    type: 'object',
    propertyNames: { pattern: HEADER_NAME_PATTERN },
    additionalProperties: { type: 'string', pattern: HEADER_VALUE_PATTERN },
    maxProperties: MAX_HEADERS,
    description:
      'Headers that every delivery carries besides its own, which cannot be replaced. Values are secrets; in a change ' +
      `\`${MASKED_VALUE}\` keeps the one that the endpoint has under that name. A new \`url\` on another host, port or scheme ` +
      'clears those that are not given with it.',
    example: { 'X-Env': 'prod' },
  } as const;
  const objectionTo = (value: object) => {
    const areTexts = Object.values(value).every((each) => typeof each === 'string');
    return areTexts ? headersObjection(value as Record<string, string>) : 'must have texts for values';
  };
  return ObjectField(schema as never, objectionTo);
}

type Overrides = Readonly<Record<string, unknown>>;

/** Members of an appointment. Only `metadata` is validated, because it is stored as text. */
function OverridesField(): PropertyDecorator {
  const problemOf = (overrides: unknown) => {
    const metadata = (overrides as Overrides | null | undefined)?.['metadata'];
    return metadata instanceof MetadataText ? metadata.problem : null;
  };
  const isSmall = (value: unknown) => problemOf(value) !== 'too_large';
  const isMetadata = (value: unknown) => problemOf(value) === null || !isSmall(value);
  const areJudged = withRules([
    rule(
      'metadata_invalid',
      isMetadata,
      `must hold metadata that are an object of at most ${METADATA_BOUNDS.levels} levels without a lone surrogate`,
    ),
    rule('metadata_too_large', isSmall, `may hold metadata of at most ${METADATA_BOUNDS.kib} KiB`),
  ]);
  const schema = {
    type: 'object',
    additionalProperties: true,
    description:
      'Members of the made-up appointment, `data.object` of the event, taken as they are; the others have made-up values.',
  };
  const areObject = ObjectField(schema as never);
  return (target, property) => {
    areObject(target, property);
    areJudged(target, property);
  };
}

/** Checks the form only. The command checks what depends on settings, with the same error code. */
function UrlField(required: boolean): PropertyDecorator {
  return PatternField(URL_PATTERN, 'url_invalid', {
    max: MAX_URL_CHARACTERS,
    required,
    complaint: 'must be an absolute https: URL without user name, password and fragment',
    description:
      'Where events are posted: an `https:` URL of a public host, port 443 or from 1024 on, without user name, password and fragment; `http:` only where the operator allows it. In a change it applies to waiting deliveries too.',
    example: 'https://api.client.example/hooks',
  });
}

class EndpointDetailsDto {
  @FiltersField(FILTERS)
  event_filters?: readonly string[] | null;

  @TextField(DESCRIPTION)
  description?: string | null;

  @MetadataField({ description: '`{}` when not given at registration; a change replaces all of it.' })
  metadata?: MetadataText | null;

  @HeadersField()
  headers?: Readonly<Record<string, string>> | null;

  @FlagField({
    description:
      'Whether an answer of 410 Gone, to a test event too, disables the endpoint; false when not given at registration.',
  })
  disable_on_gone?: boolean | null;

  @IntegerField(1, MAX_RATE_PER_SECOND, {
    description:
      'How many attempts a second may begin, tests and replays among them: over any ten seconds at most ten times that. No limit when not given at registration; in a change, null removes it.',
  })
  rate_limit_per_second?: number | null;

  warnings(): readonly string[] {
    return unmatched(this.event_filters ?? []).map((text) => `event_filters: ${text}`);
  }
}

@ApiSchema({ description: 'An endpoint to register.' })
export class RegisterEndpointDto extends EndpointDetailsDto {
  @UrlField(true)
  url!: string;

  toCommand(context: RequestContext): RegisterEndpoint {
    return new RegisterEndpoint(context, {
      url: this.url,
      filters: this.event_filters ?? [],
      description: this.description ?? null,
      headers: this.headers ?? {},
      metadata: this.metadata?.text ?? '{}',
      disableOnGone: this.disable_on_gone ?? false,
      rateLimitPerSecond: this.rate_limit_per_second ?? null,
    });
  }
}

@ApiSchema({ description: 'The members to change. Those that are left out stay as they are.' })
export class UpdateEndpointDto extends EndpointDetailsDto {
  @UrlField(false)
  url?: string | null;

  @EnumField(GIVEN_STATUSES, { description: withMeanings('Whether events are sent to it.', GIVEN_STATUS) })
  status?: GivenStatus | null;

  toCommand(context: RequestContext, endpointId: string): UpdateEndpoint {
    const { url, event_filters: filters, description, metadata, headers, status } = this;
    const { disable_on_gone: disableOnGone, rate_limit_per_second: rateLimitPerSecond } = this;
    return new UpdateEndpoint(context, endpointId, {
      ...(url ? { url } : {}),
      ...(filters ? { filters } : {}),
      ...(description === undefined ? {} : { description }),
      ...(metadata ? { metadata: metadata.text } : {}),
      ...(headers ? { headers } : {}),
      ...(status ? { status } : {}),
      ...(typeof disableOnGone === 'boolean' ? { disableOnGone } : {}),
      ...(rateLimitPerSecond === undefined ? {} : { rateLimitPerSecond }),
    });
  }
}

@ApiSchema({ description: 'How the old signing secret goes; every member may be left out.' })
export class RotateSecretDto {
  @GraceField(
    `For how many seconds deliveries are signed with the old secret too, up to a week; ${USUAL_GRACE_SECONDS} (a day) when not given, 0 ends it at once.`,
  )
  grace_period_seconds?: number | null;

  toCommand(context: RequestContext, endpointId: string): RotateEndpointSecret {
    return new RotateEndpointSecret(context, endpointId, readGrace(this.grace_period_seconds));
  }
}

@ApiSchema({ description: 'What the made-up event is like; every member may be left out.' })
export class TestEndpointDto {
  @EnumField(EMITTED_TYPES, {
    description: withMeanings('The type of the made-up event; `appointment.created` when not given.', EVENT_TYPE),
  })
  type?: EmittedType | null;

  @OverridesField()
  overrides?: Overrides | null;

  toCommand(context: RequestContext, endpointId: string): TestEndpoint {
    const { metadata, ...others } = this.overrides ?? {};
    const asSent = metadata instanceof MetadataText ? { metadata: new JsonText(metadata.text) } : {};
    return new TestEndpoint(context, endpointId, this.type ?? 'appointment.created', { ...others, ...asSent });
  }
}

@ApiSchema({ description: 'Filters to try.' })
export class TestFiltersDto {
  @FiltersField({
    description:
      'The filters to try, as an endpoint has them: exact types such as `appointment.created`, `appointment.*`, or `*`. An empty list means all.',
    example: ['appointment.*'],
    required: true,
  })
  event_filters!: readonly string[];

  warnings(): readonly string[] {
    return unmatched(this.event_filters).map((text) => `event_filters: ${text}`);
  }

  toQuery(projectId: string, endpointId: string): TryFilters {
    return new TryFilters(projectId, endpointId, this.event_filters);
  }
}
