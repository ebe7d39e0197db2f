import { Module } from '@nestjs/common';
import { IssueFeed } from './issue-feed.js';
import { OperatorPostSender } from './operator-post-sender.js';
import { OperatorWebhookSweeper } from './operator-webhook.sweeper.js';
import { PostsRecord } from './posts-record.js';

/** Needs an `OperatorSender`. */
@Module({ providers: [PostsRecord, IssueFeed, OperatorPostSender, OperatorWebhookSweeper], exports: [OperatorWebhookSweeper] })
export class OperatorWebhookModule {}
