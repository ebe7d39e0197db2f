import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { knownEndpoint } from '@domain/endpoint/endpoint';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import type { PauseCommand } from '@domain/endpoint/endpoint-pauses';
import { InstanceRegistry } from '../../instances/instance-registry.js';
import type { RequestContext } from '../../runtime/request-context.js';
import { EndpointDirectory } from './endpoint-directory.js';
import { EndpointViews } from './endpoint-views.js';
import { PauseEndpoint, ResumeEndpoint, type EndpointView } from './endpoint.commands.js';

@CommandHandler(PauseEndpoint)
export class PauseEndpointHandler implements ICommandHandler<PauseEndpoint> {
  constructor(
    private readonly directory: EndpointDirectory,
    private readonly views: EndpointViews,
    private readonly instances: InstanceRegistry,
  ) {}

  async execute({ context, endpointId }: PauseEndpoint): Promise<EndpointView> {
    await this.instances.refuseBesideOlder();
    return changed(this.directory, this.views, context, { type: 'PauseEndpoint', endpointId, reason: 'user' });
  }
}

@CommandHandler(ResumeEndpoint)
export class ResumeEndpointHandler implements ICommandHandler<ResumeEndpoint> {
  constructor(
    private readonly directory: EndpointDirectory,
    private readonly views: EndpointViews,
  ) {}

  execute({ context, endpointId }: ResumeEndpoint): Promise<EndpointView> {
    return changed(this.directory, this.views, context, { type: 'ResumeEndpoint', endpointId });
  }
}

type Change = PauseCommand extends infer Each ? (Each extends PauseCommand ? Omit<Each, 'at' | 'commandId'> : never) : never;

/** A retried request that was carried out changes nothing, whatever came after it. */
async function changed(directory: EndpointDirectory, views: EndpointViews, context: RequestContext, change: Change) {
  const { projectId, commandId } = context;
  const { endpointId } = change;
  const isIt = (event: EndpointEvent) =>
    (event.type === 'EndpointPaused' || event.type === 'EndpointResumed') && event.commandId === commandId;
  if (context.isRetry && (await directory.latest(context, endpointId, isIt)))
    return views.of(await directory.load(projectId, endpointId));
  const endpoints = await directory.run(projectId, (at) => ({ ...change, at, commandId }), context);
  return views.of(knownEndpoint(endpoints, endpointId));
}
