"""Asks one question by the official Python library: by a token from CHEST_TOKEN, else by OAuth.

Prints where to send the browser, and reads the address that it was sent back to.
"""

import asyncio
import os
import sys
from urllib.parse import parse_qs, urlsplit

from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.auth.oauth2 import AuthorizationCodeResult
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import OAuthClientMetadata

URL, MODE, QUESTION = sys.argv[1:4]


class Memory:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


async def show(url):
    print(url, flush=True)


async def come_back():
    line = await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    fields = {name: values[0] for name, values in parse_qs(urlsplit(line.strip()).query).items()}
    return AuthorizationCodeResult(code=fields["code"], state=fields.get("state"), iss=fields.get("iss"))


def by_oauth():
    metadata = OAuthClientMetadata(
        client_name="A Python client",
        redirect_uris=[os.environ["CHEST_CALLBACK"]],
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
        token_endpoint_auth_method="none",
    )
    return OAuthClientProvider(URL, metadata, Memory(), redirect_handler=show, callback_handler=come_back)


async def main():
    token = os.environ.get("CHEST_TOKEN")
    http = create_mcp_http_client(
        headers={"authorization": f"Bearer {token}"} if token else None,
        auth=None if token else by_oauth(),
    )
    async with http, Client(streamable_http_client(URL, http_client=http), mode=MODE) as client:
        print(client.protocol_version, flush=True)
        answer = await client.call_tool("chest_recall", {"query": QUESTION})
        print(answer.content[0].text.replace("\n", " "), flush=True)


asyncio.run(main())
