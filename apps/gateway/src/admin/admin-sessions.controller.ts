import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LogOut } from '@application/admin/admin.commands';
import { AdminSessions, SESSION_LIFE_MS, type AdminSession } from '@application/admin/admin-sessions';
import { Client, type AdminRequest } from '../http/pipeline/request-state.js';
import { AdminRoute } from '../http/routes/route.js';
import { toAdminSessionResource, toOpenedSessionResource } from './admin-session.resource.js';
import { ChangePasswordDto } from './change-password.dto.js';
import { LoginDto } from './login.dto.js';
import { presentedToken, sessionCookie } from './presented-token.js';

const ENDED = { object: 'admin_session', deleted: true } as const;

@ApiExcludeController()
@Controller('admin/v1')
export class AdminSessionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly sessions: AdminSessions,
  ) {}

  @Post('login')
  @AdminRoute({ login: true, body: LoginDto, neverRepeated: true })
  async logIn(@Body() body: LoginDto, @Res({ passthrough: true }) reply: FastifyReply) {
    const session = await this.commands.execute(body.toCommand());
    void reply.header('set-cookie', sessionCookie(session.token, SESSION_LIFE_MS / 1_000));
    return toOpenedSessionResource(session);
  }

  @Get('session')
  @AdminRoute()
  async show(@Client() request: AdminRequest) {
    return toAdminSessionResource(await this.sessionOf(request));
  }

  @Post('logout')
  @AdminRoute()
  async logOut(@Client() request: AdminRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    await this.commands.execute(new LogOut((await this.sessionOf(request)).id));
    void reply.header('set-cookie', sessionCookie('', 0));
    return ENDED;
  }

  @Post('password')
  @AdminRoute({ body: ChangePasswordDto })
  async changePassword(@Client() request: AdminRequest, @Body() body: ChangePasswordDto) {
    const session = await this.sessionOf(request);
    await this.commands.execute(body.toCommand(request.context, session.id));
    return toAdminSessionResource(session);
  }

  private sessionOf({ headers }: AdminRequest): Promise<AdminSession> {
    return this.sessions.find(presentedToken(headers).token);
  }
}
