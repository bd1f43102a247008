"""A development server that speaks the parts of Supabase the library uses.

It is a test tool: real PostgreSQL behind a small HTTP program, with faults on demand. It is not meant
to be reachable from another machine, nor to hold data that anybody would miss.
"""
