"""Checks of clients/python/nameglass.py against the servers that python-client.test.ts has started."""

import json
import os
import threading
import unittest

from nameglass import Client, NameglassError, quote, signature_of

SERVER = os.environ["SERVER"]
KEY = os.environ["KEY"]
BATCH_KEY = os.environ["BATCH_KEY"]
USERNAME = os.environ["USERNAME"]
# Answers in ways that a good server never does.
BROKEN = os.environ["BROKEN"]

LOOKUP = "/pdns/v2/lookup/rrset/name/"


def client(**options):
    return Client(SERVER, **{"key": KEY, "batch_key": BATCH_KEY, **options})


class Requests(unittest.TestCase):
    def test_a_request_with_a_key_is_answered(self):
        self.assertEqual(client().json("/v1/account/")["response"]["account"]["api_username"], USERNAME)

    def test_a_list_is_sent_as_a_repeated_parameter(self):
        query = {"domain": ["example.com", "unknown.example"], "parsed_whois": True, "screenshots": None}
        response = client().json("/v1/intel-enrich/", query)["response"]
        self.assertEqual((response["results_count"], response["missing_domains"]), (1, ["unknown.example"]))
        posted = client().json("/v1/intel-enrich/", body={"domain": ["example.com"]})
        self.assertEqual(posted["response"]["results_count"], 1)

    def test_the_signature_is_that_of_the_published_recipe(self):
        self.assertEqual(
            signature_of("0f1e2d3c-key", "acme-api", "2026-01-02T03:04:05Z", "/v1/account"),
            "f974df178e95319153a9725520d8f633e305a9eb6255835c5b83e0343098f1a4",
        )

    def test_signed_requests_of_several_threads_are_accepted(self):
        signing = client(username=USERNAME, sign=True)
        seen = []

        def work():
            for _ in range(3):
                seen.append(signing.json("/v1/account/")["response"]["account"]["api_username"])

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(seen, [USERNAME] * 9)
        added = signing.json("/v1/intel-detect/own-domains/", body={"add": ["acme.python.example"]})
        self.assertIn("acme.python.example", added["own_domains"])
        self.assertEqual([row["count"] for row in signing.lines(LOOKUP + "www.example.com")], [41])

    def test_the_batch_key_is_sent_in_the_body(self):
        self.assertEqual(client().json("/batchd/v1/validate", body={})["profile"]["username"], USERNAME)
        span = {"channel": 212, "start_time": "2026-03-04 10:00:00", "end_time": "2026-03-04 10:05:00"}
        lines = client().lines("/batchd/v1/batch/chfetch", body=span)
        self.assertEqual([line["message"]["domain"] for line in lines], ["a.example", "b.example"])

    def test_a_value_in_a_path_is_quoted(self):
        self.assertEqual(quote("*.example.com"), "*.example.com")
        self.assertEqual(quote("a/b c"), "a%2Fb%20c")
        rows = client().lines("/pdns/v2/lookup/rdata/ip/" + quote("192.0.2.64/30"))
        self.assertEqual(len(list(rows)), 4)

    def test_an_invalid_client_cannot_be_made(self):
        for arguments in ({"server": "names.example"}, {"server": SERVER, "key": "k", "sign": True}):
            with self.assertRaises(NameglassError) as caught:
                Client(**arguments)
            self.assertEqual(caught.exception.code, "invalid")


class Pages(unittest.TestCase):
    def test_all_pages_of_a_search(self):
        query = {"nameserver_host": "ns1.dns.example", "page_size": 1}
        found = [record["domain"] for record in client().pages("/v1/intel-investigate/", query)]
        self.assertEqual(sorted(found), ["example.com", "example.net"])

    def test_all_pages_of_a_watchlist(self):
        found = [item["domain"] for item in client().pages("/v1/intel-detect/domains/new/", {"limit": 1})]
        self.assertEqual(sorted(found), ["acme-login.example", "acme-shop.example"])

    def test_all_pages_of_a_lookup(self):
        rows = client().pages(LOOKUP + "*.hosts.example", {"limit": 5, "offset": 2})
        self.assertEqual(len({row["rrname"] for row in rows}), 10)

    def test_all_pages_of_a_history_and_of_an_archive(self):
        changes = list(client().pages("/v1/domain-history/", {"domain": "example.com", "limit": 1}))
        self.assertIn("website_title", [change["field"] for change in changes])
        files = [one["name"] for one in client().pages("/v1/download/nod/", {"limit": 1})]
        self.assertEqual(len(set(files)), len(files))
        self.assertGreaterEqual(len(files), 4)

    def test_a_feed_is_read_to_its_end(self):
        names = [record["domain"] for record in client().pages("/v1/feed/nod/", {"sessionID": "python"})]
        self.assertEqual(names, ["now.example"])
        self.assertEqual(list(client().pages("/v1/feed/nod/", {"sessionID": "python"})), [])

    def test_pages_of_version_1_are_refused_and_its_lines_are_read(self):
        with self.assertRaises(NameglassError):
            list(client().pages("/pdns/v1/lookup/rrset/name/www.example.com"))
        rows = client().lines("/pdns/v1/lookup/rrset/name/www.example.com")
        self.assertEqual([row["count"] for row in rows], [41])

    def test_a_limited_lookup_says_so(self):
        ends = []
        rows = list(client().lines(LOOKUP + "*.hosts.example", {"limit": 3}, on_end=ends.append))
        self.assertEqual((len(rows), ends[0]["cond"]), (3, "limited"))
        self.assertIn("cursor", ends[0])


class Failures(unittest.TestCase):
    def failure(self, work):
        with self.assertRaises(NameglassError) as caught:
            work()
        return caught.exception

    def test_errors_of_all_apis_have_the_same_codes(self):
        good, none, wrong = client(), client(key=None), client(key="x")
        cases = [
            (none, "/v1/intel-enrich/?domain=a.example", 401, "authentication"),
            (wrong, "/v1/account/", 403, "authentication"),
            (good, "/v1/intel-enrich/", 400, "invalid"),
            (good, "/v1/feed/nod/", 422, "invalid"),
            (good, "/v1/nothing/", 404, "not-found"),
            (wrong, LOOKUP + "a.example", 403, "authentication"),
            (wrong, "/pdns/query/a.example", 401, "authentication"),
            (good, LOOKUP + "a..b", 400, "invalid"),
            (good, "/files/nod/x?Expires=1&Signature=x", 403, "authentication"),
        ]
        for asker, path, status, code in cases:
            error = self.failure(lambda asker=asker, path=path: asker.request(path))
            self.assertEqual((error.status, error.code), (status, code), path)
            self.assertTrue(str(error))
        self.assertEqual(list(self.failure(lambda: good.request("/v1/feed/nod/")).fields), ["sessionID"])
        batch = self.failure(lambda: good.request("/batchd/v1/batch/chdetails", body={"channels": "x"}))
        self.assertEqual((batch.status, batch.code, list(batch.fields)), (403, "invalid", ["channels"]))

    def test_a_server_that_cannot_be_reached(self):
        error = self.failure(lambda: Client("http://127.0.0.1:9").request("/v1/account/"))
        self.assertEqual((error.status, error.code), (0, "unreachable"))

    def test_a_response_that_breaks_off_is_incomplete(self):
        broken = Client(BROKEN)
        for kind in ("cut", "without-end", "short-length", "cut-gzip", "half-line"):
            read = []

            def work(kind=kind, read=read):
                read.extend(broken.lines(f"/pdns/v2/lookup/{kind}"))

            self.assertEqual(self.failure(work).code, "incomplete", kind)

    def test_a_query_that_fails_midway(self):
        error = self.failure(lambda: list(Client(BROKEN).lines("/pdns/v2/lookup/failed")))
        self.assertEqual((error.code, str(error)), ("failed", "processing error"))

    def test_retry_after_is_honoured_as_long_as_the_client_may_wait(self):
        error = self.failure(lambda: Client(BROKEN).json("/v1/limited/once/a"))
        self.assertEqual((error.status, error.code, error.retry_after_seconds), (429, "limit", 1))
        self.assertEqual(Client(BROKEN, wait_seconds=5).json("/v1/limited/once/b"), {"ok": True})
        error = self.failure(lambda: Client(BROKEN, wait_seconds=5).json("/v1/limited/long"))
        self.assertEqual(error.retry_after_seconds, 3600)

    def test_a_redirect_is_not_followed_and_html_is_no_answer(self):
        error = self.failure(lambda: Client(BROKEN, key=KEY).json("/v1/moved"))
        self.assertEqual(error.code, "unexpected")
        self.assertIn("elsewhere.example", str(error))
        self.assertEqual(self.failure(lambda: Client(BROKEN).json("/v1/html")).code, "unexpected")

    def test_a_key_is_never_sent_to_another_server(self):
        with client().request(f"{BROKEN}/headers") as response:
            self.assertNotIn("x-api-key", json.loads(response.read()))
        with Client(BROKEN, key="own").request("/headers") as response:
            self.assertEqual(json.loads(response.read())["x-api-key"], "own")


if __name__ == "__main__":
    unittest.main()
