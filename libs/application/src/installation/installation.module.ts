import { Module } from '@nestjs/common';
import { AdminModule } from '../admin/admin.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { FirstStartTurn } from './first-start-turn.js';
import { FirstStart } from './first-start.js';
import { InstallationSeal } from './installation-seal.js';

@Module({ imports: [StreamsModule, ProjectsModule, AdminModule], providers: [FirstStartTurn, FirstStart, InstallationSeal] })
export class InstallationModule {}
