import { Module } from '@nestjs/common';
import { ChangeFeed } from './change-feed.js';

@Module({ providers: [ChangeFeed], exports: [ChangeFeed] })
export class ChangesModule {}
