import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { FollowMessage, GetMessage } from './follow-message.queries.js';
import { MessageFollower, type Progress, type Standing } from './message-follower.js';

@QueryHandler(GetMessage)
export class GetMessageHandler implements IQueryHandler<GetMessage> {
  constructor(private readonly follower: MessageFollower) {}

  execute({ name, wait }: GetMessage): Promise<Standing> {
    return wait ? this.follower.whenOver(name, wait.ms, wait.signal) : this.follower.standing(name);
  }
}

@QueryHandler(FollowMessage)
export class FollowMessageHandler implements IQueryHandler<FollowMessage> {
  constructor(private readonly follower: MessageFollower) {}

  async execute({ name, from, signal }: FollowMessage): Promise<AsyncGenerator<Progress>> {
    return this.follower.follow(name, from, signal);
  }
}
