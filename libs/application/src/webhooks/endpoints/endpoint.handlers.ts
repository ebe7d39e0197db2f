import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import { knownEndpoint, secretOf, type Endpoint } from '@domain/endpoint/endpoint';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import { EventStore } from '@ports/event-store.port';
import { Ids } from '@ports/ids.port';
import type { SortKey } from '@ports/read-models.port';
import type { ListKind } from '../../paging/cursor.js';
import type { Page } from '../../paging/page.js';
import { PagedLists, sortIdOf, sourceOf } from '../../paging/paged-list.js';
import { idFor, type RequestContext } from '../../runtime/request-context.js';
import { recordsOf } from '../../streams/stream-records.js';
import { EndpointDirectory, endpointsStream } from './endpoint-directory.js';
import { EndpointInputs } from './endpoint-inputs.js';
import { EndpointViews } from './endpoint-views.js';
import {
  DeleteEndpoint,
  GetEndpoint,
  ListEndpoints,
  RegisterEndpoint,
  RotateEndpointSecret,
  UpdateEndpoint,
} from './endpoint.commands.js';
import type { EndpointView, EndpointWithSecret } from './endpoint.commands.js';
import { SigningSecrets } from './signing-secrets.js';

const ENDPOINTS: ListKind = { list: 'webhook_endpoints', idKind: 'endpoint' };

@CommandHandler(RegisterEndpoint)
export class RegisterEndpointHandler implements ICommandHandler<RegisterEndpoint> {
  constructor(
    private readonly directory: EndpointDirectory,
    private readonly inputs: EndpointInputs,
    private readonly secrets: SigningSecrets,
    private readonly views: EndpointViews,
    private readonly ids: Ids,
  ) {}

  async execute({ context, details: input }: RegisterEndpoint): Promise<EndpointWithSecret> {
    const { projectId } = context;
    const endpointId = idFor(this.ids, context, 'endpoint', 'endpoint');
    const details = this.inputs.registered({ projectId, id: endpointId }, input);
    const earlier = context.isRetry ? await this.earlier(context, endpointId) : null;
    if (earlier) return earlier;
    const { sealed: secret, hint: secretHint } = this.secrets.make(projectId, endpointId);
    const command = { type: 'RegisterEndpoint', endpointId, projectId, details, secret, secretHint } as const;
    const endpoints = await this.directory.run(projectId, (at) => ({ at, ...command }), context);
    const endpoint = knownEndpoint(endpoints, endpointId);
    return { endpoint: this.views.ofNew(endpoint), secret: this.secrets.shown(endpoint, endpoint.secret) };
  }

  /** What an earlier execution registered, with its secret. Rejects if it was deleted since: it is not registered again. */
  private async earlier(context: RequestContext, endpointId: string): Promise<EndpointWithSecret | null> {
    const registration = await this.directory.latest(context, endpointId, (event) => event.type === 'EndpointRegistered');
    if (registration?.type !== 'EndpointRegistered') return null;
    const endpoint = await this.directory.load(context.projectId, endpointId);
    const secret = this.secrets.shown(endpoint, registration.secret);
    return { endpoint: await this.views.of(endpoint), secret };
  }
}

@CommandHandler(UpdateEndpoint)
export class UpdateEndpointHandler implements ICommandHandler<UpdateEndpoint> {
  constructor(
    private readonly directory: EndpointDirectory,
    private readonly inputs: EndpointInputs,
    private readonly views: EndpointViews,
  ) {}

  async execute({ context, endpointId, changes }: UpdateEndpoint): Promise<EndpointView> {
    const { projectId, commandId } = context;
    const present = await this.directory.load(projectId, endpointId);
    if (context.isRetry && (await this.hasRun(context, endpointId)))
      // The first execution's append may have landed since the endpoint was loaded.
      return this.views.of(await this.directory.load(projectId, endpointId));
    const sealed = await this.inputs.changed(present, changes, context.envelope);
    const command = { type: 'UpdateEndpoint', endpointId, commandId, changes: sealed } as const;
    const endpoints = await this.directory.run(projectId, (at) => ({ at, ...command }), context);
    return this.views.of(knownEndpoint(endpoints, endpointId));
  }

  private async hasRun(context: RequestContext, endpointId: string): Promise<boolean> {
    const { commandId } = context;
    const isIt = (event: EndpointEvent) => event.type === 'EndpointUpdated' && event.commandId === commandId;
    return (await this.directory.latest(context, endpointId, isIt)) !== null;
  }
}

/** A retried request returns the secret that its first execution made. */
@CommandHandler(RotateEndpointSecret)
export class RotateEndpointSecretHandler implements ICommandHandler<RotateEndpointSecret> {
  constructor(
    private readonly directory: EndpointDirectory,
    private readonly secrets: SigningSecrets,
    private readonly views: EndpointViews,
  ) {}

  async execute({ context, endpointId, graceMs }: RotateEndpointSecret): Promise<EndpointWithSecret> {
    const { projectId, commandId: rotationId } = context;
    const earlier = context.isRetry ? await this.earlier(context, endpointId) : null;
    if (earlier) return earlier;
    const { sealed: secret, hint: secretHint } = this.secrets.make(projectId, endpointId);
    const command = { type: 'RotateEndpointSecret', endpointId, rotationId, secret, secretHint, graceMs } as const;
    const endpoints = await this.directory.run(projectId, (at) => ({ at, ...command }), context);
    const endpoint = knownEndpoint(endpoints, endpointId);
    return {
      endpoint: await this.views.of(endpoint),
      secret: this.secrets.shown(endpoint, secretOf(endpoint, rotationId)),
    };
  }

  private async earlier(context: RequestContext, endpointId: string): Promise<EndpointWithSecret | null> {
    const { projectId, commandId: rotationId } = context;
    const isIt = (event: EndpointEvent) => event.type === 'EndpointSecretRotated' && event.rotationId === rotationId;
    const rotation = await this.directory.latest(context, endpointId, isIt);
    if (rotation?.type !== 'EndpointSecretRotated') return null;
    const endpoint = await this.directory.load(projectId, endpointId);
    const secret = this.secrets.shown(endpoint, rotation.secret);
    return { endpoint: await this.views.of(endpoint), secret };
  }
}

@CommandHandler(DeleteEndpoint)
export class DeleteEndpointHandler implements ICommandHandler<DeleteEndpoint> {
  constructor(private readonly directory: EndpointDirectory) {}

  async execute({ context, endpointId }: DeleteEndpoint): Promise<{ readonly id: string }> {
    await this.directory.run(context.projectId, (at) => ({ type: 'DeleteEndpoint', at, endpointId }), context);
    return { id: endpointId };
  }
}

@QueryHandler(GetEndpoint)
export class GetEndpointHandler implements IQueryHandler<GetEndpoint> {
  constructor(
    private readonly directory: EndpointDirectory,
    private readonly views: EndpointViews,
  ) {}

  async execute({ projectId, endpointId }: GetEndpoint): Promise<EndpointView> {
    return this.views.of(await this.directory.load(projectId, endpointId));
  }
}

@QueryHandler(ListEndpoints)
export class ListEndpointsHandler implements IQueryHandler<ListEndpoints> {
  constructor(
    private readonly directory: EndpointDirectory,
    private readonly store: EventStore,
    private readonly lists: PagedLists,
    private readonly views: EndpointViews,
  ) {}

  async execute({ projectId, status, page }: ListEndpoints): Promise<Page<EndpointView>> {
    const { endpoints } = await this.directory.all(projectId);
    const wanted = endpoints.filter((endpoint) => status === null || endpoint.status === status);
    const log = `${await this.store.identity()}/${projectId}`;
    const keyOf = ({ createdAt, ordinal }: Endpoint) => placeOf(createdAt, ordinal);
    const source = sourceOf({ ...ENDPOINTS, log }, wanted, keyOf, (id) => this.registeredAt(projectId, id));
    const { items, ...rest } = await this.lists.page({ ...source, walkedBy: projectId }, page);
    return { ...rest, items: await this.views.all(items) };
  }

  /** Also of a deleted endpoint; null when it never existed. */
  private async registeredAt(projectId: string, endpointId: string): Promise<SortKey | null> {
    let ordinal = 0;
    for await (const { event } of recordsOf<EndpointEvent>(this.store, endpointsStream(projectId), 'asc')) {
      if (event.type !== 'EndpointRegistered') continue;
      if (event.endpointId === endpointId) return placeOf(event.at, ordinal);
      ordinal += 1;
    }
    return null;
  }
}

function placeOf(createdAt: number, ordinal: number): SortKey {
  return { createdAt, sortId: sortIdOf(ordinal) };
}
