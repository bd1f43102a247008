"""The REST API: a subset of PostgREST, from the query string to the answer.

`grammar` reads text, `query` sorts a query string into what it asks for, `plan` resolves names against
the catalog, `statements` writes SQL, `reading` and `writing` run it, `answering` makes the response.
"""
