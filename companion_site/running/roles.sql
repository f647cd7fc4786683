-- The three roles of Companion. Running this twice changes nothing but the passwords.
--   companion_owner     migrates and owns the database; may create databases, so that tests can
--   companion_site      what the site and its worker run as; owns nothing, bound by row-level security
--   companion_metadata  reads what is readable without a key, for the admin's lists
DO $do$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['companion_owner', 'companion_site', 'companion_metadata'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
            EXECUTE format('CREATE ROLE %I', name);
        END IF;
    END LOOP;
END
$do$;
ALTER ROLE companion_owner LOGIN CREATEDB NOCREATEROLE PASSWORD '{companion_owner}';
ALTER ROLE companion_site LOGIN NOCREATEDB NOCREATEROLE PASSWORD '{companion_site}';
ALTER ROLE companion_metadata LOGIN NOCREATEDB NOCREATEROLE PASSWORD '{companion_metadata}';
ALTER ROLE companion_metadata SET default_transaction_read_only = on;
