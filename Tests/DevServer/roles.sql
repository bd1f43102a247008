-- The roles of a hosted project, with its time limits. Roles belong to a whole cluster, so this may run again.
do $$
begin
  if to_regrole('anon') is null then create role anon nologin noinherit; end if;
  if to_regrole('authenticated') is null then create role authenticated nologin noinherit; end if;
  if to_regrole('service_role') is null then create role service_role nologin noinherit bypassrls; end if;
  if to_regrole('authenticator') is null then create role authenticator nologin noinherit; end if;
end
$$;

grant anon, authenticated, service_role to authenticator;

alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
-- Without a limit of its own this role would inherit the authenticator's.
alter role service_role set statement_timeout = '60s';
