import { Module } from '@nestjs/common';
import { StreamsModule } from '../streams/streams.module.js';
import { Claims } from './claims.js';

@Module({ imports: [StreamsModule], providers: [Claims], exports: [Claims] })
export class ClaimsModule {}
