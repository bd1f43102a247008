-- The demo project: tasks and their photos, each user seeing only their own, and announcements for all.

create schema extensions;
create schema auth;
create schema public;
create schema archive;

create extension pgcrypto schema extensions;
grant usage on schema extensions, auth, public, archive to anon, authenticated, service_role;

-- Users and their sessions, as far as signing in needs them.

create table auth.users (
  id uuid primary key,
  email text not null unique,
  encrypted_password text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  created_at timestamptz not null default now()
);

create table auth.refresh_tokens (
  token text primary key,
  session_id uuid not null references auth.sessions on delete cascade,
  parent text,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);

create function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb
$$;

create function auth.uid() returns uuid language sql stable as $$
  select nullif(auth.jwt() ->> 'sub', '')::uuid
$$;

create function auth.role() returns text language sql stable as $$
  select auth.jwt() ->> 'role'
$$;

insert into auth.users (id, email, encrypted_password) values
  ('a0000000-0000-4000-8000-000000000001', 'ada@example.com', extensions.crypt('ada-password', extensions.gen_salt('bf', 4))),
  ('a0000000-0000-4000-8000-000000000002', 'grace@example.com', extensions.crypt('grace-password', extensions.gen_salt('bf', 4)));

-- What the demo app shows.

create table public.tasks (
  id uuid primary key,
  user_id uuid not null default auth.uid() references auth.users,
  title text not null,
  done boolean not null default false,
  priority integer,
  notes text,
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
create index on public.tasks (user_id);

create table public.task_photos (
  id uuid primary key,
  task_id uuid not null references public.tasks on delete cascade,
  user_id uuid not null default auth.uid() references auth.users,
  object_path text not null,
  created_at timestamptz default now()
);
create index on public.task_photos (task_id);

create table public.announcements (
  id bigint primary key,
  body text not null,
  created_at timestamptz not null default now()
);

-- A table of the same name in another schema: the library must never mix the two.
create table archive.tasks (
  id uuid primary key,
  user_id uuid not null default auth.uid() references auth.users,
  title text not null,
  archived_at timestamptz not null default now()
);

-- Row level security. Anonymous requests may ask and see nothing: an empty list, not an error.

alter table public.tasks enable row level security;
alter table public.task_photos enable row level security;
alter table public.announcements enable row level security;
alter table archive.tasks enable row level security;

create policy own on public.tasks for all to authenticated
  using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
create policy own on public.task_photos for all to authenticated
  using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
create policy own on archive.tasks for all to authenticated
  using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
create policy everyone on public.announcements for select using (true);

grant all on all tables in schema public, archive to authenticated, service_role;
grant select on all tables in schema public, archive to anon;
-- Tables that tests add are for everyone, as a hosted project grants them.
alter default privileges in schema public, archive grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public, archive grant all on sequences to anon, authenticated, service_role;

-- A change of the schema is noticed at once, as in a hosted project.

create function extensions.pgrst_ddl_watch() returns event_trigger language plpgsql as $$
begin
  notify pgrst, 'reload schema';
end
$$;
create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();

-- The first rows.

insert into public.tasks (id, user_id, title, done, priority, notes, created_at, updated_at) values
  ('b0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000001', 'Write the first program', false, 1, null, '2026-01-05T09:00:00Z', '2026-01-05T09:00:00Z'),
  ('b0000000-0000-4000-8000-000000000002', 'a0000000-0000-4000-8000-000000000001', 'Order punched cards', true, 3, 'Jacquard''s, if they have them', '2026-01-06T10:30:00Z', '2026-01-07T08:00:00Z'),
  ('b0000000-0000-4000-8000-000000000003', 'a0000000-0000-4000-8000-000000000001', 'Answer Mr. Babbage', false, 2, null, '2026-01-08T14:15:00Z', '2026-01-08T14:15:00Z'),
  ('b0000000-0000-4000-8000-000000000004', 'a0000000-0000-4000-8000-000000000002', 'Find the moth', true, 1, 'Relay 70, panel F', '2026-01-05T15:45:00Z', '2026-01-05T15:46:00Z'),
  ('b0000000-0000-4000-8000-000000000005', 'a0000000-0000-4000-8000-000000000002', 'Cut wires of one nanosecond', false, null, null, '2026-01-09T11:00:00Z', '2026-01-09T11:00:00Z');

insert into public.task_photos (id, task_id, user_id, object_path, created_at) values
  ('c0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-000000000004', 'a0000000-0000-4000-8000-000000000002', 'a0000000-0000-4000-8000-000000000002/moth.jpg', '2026-01-05T15:46:00Z');

insert into public.announcements (id, body, created_at) values
  (1, 'Welcome to the development server.', '2026-01-01T00:00:00Z'),
  (2, 'Everyone may read this, signed in or not.', '2026-01-02T00:00:00Z');

insert into archive.tasks (id, user_id, title, archived_at) values
  ('b0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000001', 'Learn the calculus', '2025-12-31T00:00:00Z');
