import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LogOut } from '@application/admin/admin.commands';
import { AdminSessions, SESSION_LIFE_MS, type AdminSession } from '@application/admin/admin-sessions';
import { Client, type AdminRequest } from '../http/pipeline/request-state.js';
import { AdminRoute } from '../http/routes/route.js';
import {
  AdminSessionResource,
  EndedAdminSessionResource,
  OpenedAdminSessionResource,
  toAdminSessionResource,
  toOpenedSessionResource,
} from './admin-session.resource.js';
import { ChangePasswordDto } from './change-password.dto.js';
import { LoginDto } from './login.dto.js';
import { presentedToken, sessionCookie } from './presented-token.js';

const ENDED = { object: 'admin_session', deleted: true } as const;
const SESSION = { status: 200, description: 'The session of this request.', resource: AdminSessionResource } as const;

@ApiTags('Administrators')
@Controller('admin/v1')
export class AdminSessionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly sessions: AdminSessions,
  ) {}

  @Post('login')
  @AdminRoute({
    name: 'logIn',
    summary: 'Log in',
    about: 'The session lasts for twelve hours. Its token is in the answer and, for browsers, in the cookie that it sets.',
    login: true,
    body: LoginDto,
    neverRepeated: true,
    answers: [{ status: 200, description: 'A new session.', resource: OpenedAdminSessionResource }],
    errors: ['parameter_missing', 'admin_password_invalid'],
  })
  async logIn(@Body() body: LoginDto, @Res({ passthrough: true }) reply: FastifyReply): Promise<OpenedAdminSessionResource> {
    const session = await this.commands.execute(body.toCommand());
    void reply.header('set-cookie', sessionCookie(session.token, SESSION_LIFE_MS / 1_000));
    return toOpenedSessionResource(session);
  }

  @Get('session')
  @AdminRoute({ name: 'getAdminSession', summary: 'Retrieve the session of the request', answers: [SESSION] })
  async show(@Client() request: AdminRequest): Promise<AdminSessionResource> {
    return toAdminSessionResource(await this.sessionOf(request));
  }

  @Post('logout')
  @AdminRoute({
    name: 'logOut',
    summary: 'Log out',
    answers: [{ status: 200, description: 'The session has ended.', resource: EndedAdminSessionResource }],
  })
  async logOut(
    @Client() request: AdminRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndedAdminSessionResource> {
    await this.commands.execute(new LogOut((await this.sessionOf(request)).tokenHash));
    void reply.header('set-cookie', sessionCookie('', 0));
    return ENDED;
  }

  @Post('password')
  @AdminRoute({
    name: 'changePassword',
    summary: 'Change the admin password',
    about: 'Every other session ends.',
    body: ChangePasswordDto,
    answers: [SESSION],
    errors: ['parameter_missing', 'parameter_too_long', 'admin_password_invalid'],
  })
  async changePassword(@Client() request: AdminRequest, @Body() body: ChangePasswordDto): Promise<AdminSessionResource> {
    const session = await this.sessionOf(request);
    await this.commands.execute(body.toCommand(request.context, session.tokenHash));
    return toAdminSessionResource(session);
  }

  private sessionOf({ headers }: AdminRequest): Promise<AdminSession> {
    return this.sessions.find(presentedToken(headers).token);
  }
}
