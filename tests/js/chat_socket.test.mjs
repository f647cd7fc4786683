import assert from "node:assert/strict";
import { test } from "node:test";

import { keepConnected, pauseBefore } from "../../static/js/chat_socket.js";

/** The network's end of a connection, and a clock that only moves when told. */
function makeNetwork({ finalCodes = [] } = {}) {
  const sockets = [];
  const timers = [];
  const seen = [];
  class FakeSocket {
    constructor(url) {
      this.url = url;
      this.readyState = 0;
      this.sent = [];
      sockets.push(this);
    }
    send(data) {
      this.sent.push(data);
    }
    opens() {
      this.readyState = 1;
      this.onopen();
    }
    closes(code) {
      this.readyState = 3;
      this.onclose({ code });
    }
  }
  const connection = keepConnected({
    url: "ws://a/",
    onOpen: () => seen.push("open"),
    onFrame: (frame) => seen.push(frame),
    onClose: (code) => seen.push(code),
    isFinal: (code) => finalCodes.includes(code),
    WebSocket: FakeSocket,
    setTimer: (action, ms) => timers.push({ action, ms }) - 1,
    clearTimer: (timer) => (timers[timer].cleared = true),
    random: () => 1,
  });
  return { connection, sockets, timers, seen };
}

test("pauses double from 0.3 s to 10 s, with half left to chance", () => {
  assert.deepEqual([0, 1, 2, 5, 6, 60].map((attempt) => pauseBefore(attempt, () => 1)), [300, 600, 1200, 9600, 10000, 10000]);
  assert.equal(pauseBefore(0, () => 0), 150);
});

test("a lost connection is opened again after the pause", () => {
  const { sockets, timers, seen } = makeNetwork();
  sockets[0].opens();
  sockets[0].closes(1006);
  assert.equal(sockets.length, 1);
  assert.equal(timers[0].ms, 300);
  timers[0].action();
  sockets[1].opens();
  assert.deepEqual(seen, ["open", 1006, "open"]);
});

test("pauses grow until a frame came through, not merely until a connection opened", () => {
  const { sockets, timers } = makeNetwork();
  sockets[0].opens();
  sockets[0].closes(1011);
  timers[0].action();
  sockets[1].opens();
  sockets[1].closes(1011);
  assert.equal(timers[1].ms, 600);
  timers[1].action();
  sockets[2].opens();
  sockets[2].onmessage({ data: '{"type":"chat.title"}' });
  sockets[2].closes(1011);
  assert.equal(timers[2].ms, 300);
});

test("a final code ends the attempts until somebody wakes the connection", () => {
  const { connection, sockets, timers } = makeNetwork({ finalCodes: [4401] });
  sockets[0].closes(4401);
  assert.deepEqual(timers, []);
  connection.wake();
  assert.equal(sockets.length, 2);
});

test("waking cuts the pause short and does not connect twice", () => {
  const { connection, sockets, timers } = makeNetwork();
  connection.wake();
  assert.equal(sockets.length, 1);
  sockets[0].closes(1006);
  connection.wake();
  assert.equal(timers[0].cleared, true);
  assert.equal(sockets.length, 2);
});

test("frames go out as JSON on an open connection only", () => {
  const { connection, sockets } = makeNetwork();
  connection.send({ type: "early" });
  sockets[0].opens();
  connection.send({ type: "chat.stop", reply: "r" });
  assert.deepEqual(sockets[0].sent, ['{"type":"chat.stop","reply":"r"}']);
});

test("the close handler sees the next attempt already planned", () => {
  const order = [];
  class Refused {
    constructor() {
      queueMicrotask(() => this.onclose({ code: 1006 }));
    }
  }
  return new Promise((resolve) => {
    keepConnected({
      url: "ws://a/", onOpen() {}, onFrame() {}, isFinal: () => false, WebSocket: Refused,
      setTimer: () => order.push("planned"),
      onClose: () => resolve(assert.deepEqual(order, ["planned"])),
    });
  });
});
