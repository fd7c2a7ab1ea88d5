"""A bot in one page of Python, which joins a table by its link and plays random legal moves.

python bot.py http://127.0.0.1:8017/t/abc123 [NAME]
"""

import json
import random
import sys

import httpx2
from websockets.sync.client import connect


def choose(scene: dict) -> int:
    """Return a choice: one that completes the move if possible, or else one that has not been picked yet."""
    choices, taken = scene["choices"], scene.get("draft", {}).get("picks", [])
    main = [choice for choice in choices if choice.get("main")]
    fresh = [choice for choice in choices if choice["id"] not in taken]
    return random.choice(main or fresh or choices)["id"]


def play(link: str, name: str) -> None:
    room, _, table = link.rstrip("/").rpartition("/t/")
    with httpx2.Client(base_url=room) as http:
        http.get("/api/me")  # the room's cookie is who you are
        http.post("/api/me", json={"name": name})
        joined = http.post(f"/api/tables/{table}/join", json={})
        cookie = "; ".join(f"{key}={value}" for key, value in http.cookies.items())
    if joined.is_error:
        sys.exit(joined.json()["reason"])
    address = f"{room.replace('http', 'ws', 1)}/api/tables/{table}/play"
    with connect(address, additional_headers={"Cookie": cookie}, max_size=None) as socket:
        for number, text in enumerate(socket):
            scene = json.loads(text).get("scene") or {}
            if "result" in scene:
                print(scene["result"]["text"])
                return
            if scene.get("choices"):
                draft = scene.get("draft", {}).get("picks", [])
                request = {"type": "pick", "seq": scene["seq"], "choice": choose(scene), "draft": draft}
                socket.send(json.dumps({"id": f"{number}", **request}))


if __name__ == "__main__":
    play(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "Random")
