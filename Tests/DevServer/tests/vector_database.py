"""Fills a database from the vectors' tables file. The vectors are data from outside and no part of this project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import psycopg

from devserver.demo import ROLES
from devserver.quoting import identifier, literal

SCHEMA = "test"


def fill(database: str, file: Path) -> None:
    text = file.read_text()
    document = json.loads(text)
    with psycopg.connect(database, autocommit=False) as connection:

        def run(sql: str) -> None:
            connection.execute(sql.encode())

        run(ROLES.read_text())
        run(f"create schema {SCHEMA}; create extension citext schema public")
        run(f"set search_path = {SCHEMA}, public")
        for name, definition in document["types"].items():
            run(_type_sql(name, definition))
        for table in document["tables"]:
            run(_table_sql(table))
        for number, table in enumerate(document["tables"]):
            _fill_table(connection, text, number, table)
        for table in document["tables"]:
            for key in table.get("foreignKeys") or []:
                run(_foreign_key_sql(table, key))
        run(f"grant usage on schema {SCHEMA} to anon, authenticated")
        run(f"grant all on all tables in schema {SCHEMA} to anon, authenticated")
        run(f"grant all on all sequences in schema {SCHEMA} to anon, authenticated")
        run(f"revoke all on {SCHEMA}.app_users, {SCHEMA}.insertonly from anon")
        run(f"grant select (id, email), insert, update, delete on {SCHEMA}.app_users to anon")
        run(f"grant insert on {SCHEMA}.insertonly to anon")
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("analyze")


class Restorer:
    """Puts tables back to their first rows, as every write vector starts from them."""

    def __init__(self, database: str, file: Path) -> None:
        self._connection = psycopg.connect(database, autocommit=True)
        self._run("set session_replication_role = replica")  # no foreign key looks on meanwhile
        self._run(f"create schema first; set search_path = {SCHEMA}, public")
        self._tables = {table["table"]: table for table in json.loads(file.read_text())["tables"]}
        for name in self._tables:
            self._run(f"create table first.{identifier(name)} as table {identifier(name)}")

    def close(self) -> None:
        self._connection.close()

    def restore(self, table: str) -> None:
        """The table and whatever a cascade from it may have reached."""
        for name in self._reachable(table):
            quoted = identifier(name)
            columns = self._tables[name]["columns"]
            stored = _names([c["name"] for c in columns if not c.get("generated")])
            self._run(
                f"delete from {quoted}; insert into {quoted} ({stored}) overriding system value "
                f"select {stored} from first.{quoted}"
            )
            for column in columns:
                if column.get("serial") or column.get("identity"):
                    self._run(_sequence_sql(quoted, column["name"]))

    def rows(self, table: str, columns: list[str]) -> str:
        """The table's rows as JSON, cut to some columns."""
        selected = f"select {_names(columns)} from {identifier(table)}"
        cursor = self._connection.execute(
            f"select coalesce(json_agg(r), '[]')::text from ({selected}) r".encode()
        )
        row = cursor.fetchone()
        return str(row[0]) if row else "[]"

    def _reachable(self, table: str) -> list[str]:
        found = [table] if table in self._tables else []
        for name in found:
            for other, definition in self._tables.items():
                keys = definition.get("foreignKeys") or []
                if other not in found and any(key["references"] == name for key in keys):
                    found.append(other)
        return found

    def _run(self, sql: str) -> None:
        self._connection.execute(sql.encode())


def _sequence_sql(table: str, column: str) -> str:
    return (
        f"select setval(pg_get_serial_sequence({literal(table)}, {literal(column)}), "
        f"greatest((select max({identifier(column)}) from {table}), 1))"
    )


def _names(names: list[str]) -> str:
    return ", ".join(identifier(name) for name in names)


def _type_sql(name: str, definition: dict[str, Any]) -> str:
    match definition["kind"]:
        case "enum":
            labels = ", ".join(literal(label) for label in definition["labels"])
            return f"create type {identifier(name)} as enum ({labels})"
        case "composite":
            fields = ", ".join(f"{identifier(f['name'])} {f['type']}" for f in definition["fields"])
            return f"create type {identifier(name)} as ({fields})"
        case "domain":
            default = f" default {definition['default']}" if definition.get("default") else ""
            return f"create domain {identifier(name)} as {definition['base']}{default}"
        case other:
            raise ValueError(f"unknown kind of type: {other}")


def _table_sql(table: dict[str, Any]) -> str:
    parts = [_column_sql(column) for column in table["columns"]]
    if table.get("primaryKey"):
        parts.append(f"primary key ({_names(table['primaryKey'])})")
    for key in table.get("unique") or []:
        parts.append(f"constraint {identifier(key['name'])} unique ({_names(key['columns'])})")
    return f"create table {identifier(table['table'])} ({', '.join(parts)})"


def _column_sql(column: dict[str, Any]) -> str:
    sql = f"{identifier(column['name'])} "
    if column.get("serial"):
        sql += {"integer": "serial", "bigint": "bigserial", "smallint": "smallserial"}[column["type"]]
    else:
        sql += column["type"]
    if column.get("collation"):
        sql += f" collate {identifier(column['collation'])}"
    if column.get("generated"):
        sql += f" generated always as ({column['generated']}) stored"
    elif column.get("identity"):
        sql += f" generated {column['identity']} as identity"
    elif column.get("default"):
        sql += f" default {column['default']}"
    return sql + (" not null" if column.get("notNull") else "")


def _fill_table(connection: psycopg.Connection[Any], text: str, number: int, table: dict[str, Any]) -> None:
    """PostgreSQL reads the rows out of the file's own text, so that no number passes through Python."""
    name = identifier(table["table"])
    columns = [c["name"] for c in table["columns"] if not c.get("generated")]
    connection.execute(
        f"insert into {name} ({_names(columns)}) overriding system value select {_names(columns)} from "
        f"json_populate_recordset(null::{name}, %s::json->'tables'->{number}->'rows')".encode(),
        (text,),
    )
    for cell in table.get("jsonNulls") or []:
        key = " and ".join(
            f"{identifier(column)} = {literal(str(value))}"
            for column, value in zip(table["primaryKey"], cell["key"], strict=True)
        )
        connection.execute(f"update {name} set {identifier(cell['column'])} = 'null' where {key}".encode())
    for column in table["columns"]:
        if column.get("serial") or column.get("identity"):
            connection.execute(_sequence_sql(name, column["name"]).encode())


def _foreign_key_sql(table: dict[str, Any], key: dict[str, Any]) -> str:
    sql = (
        f"alter table {identifier(table['table'])} add constraint {identifier(key['name'])} "
        f"foreign key ({_names(key['columns'])}) references {identifier(key['references'])} "
        f"({_names(key['referencedColumns'])})"
    )
    for event in ("onDelete", "onUpdate"):
        if key.get(event):
            sql += f" {event[:2]} {event[2:].lower()} {key[event]}"
    return sql
