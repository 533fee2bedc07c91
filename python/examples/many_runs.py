"""How long a room takes to empty, for two widths of its door, with confidence intervals."""

from crowdloom import Ground, Scene, ensemble


def room(width: float) -> Scene:
    low, high = 5 - width / 2, 5 + width / 2
    floor = [(0, 0), (10, 0), (10, low), (11, low), (11, 0), (15, 0), (15, 10), (11, 10), (11, high), (10, high), (10, 10), (0, 10)]
    scene = Scene("room", world=Ground.from_polygon(floor), seconds=60)
    scene.add_region("room", rectangle=[0, 0, 9, 10])
    scene.add_region("outside", rectangle=[13, 0, 15, 10])
    scene.add_stop("out", region="outside", exit=True)
    scene.add_people(count=30, in_="room", to="out", mover="social-force")
    return scene


if __name__ == "__main__":
    for width in (1.0, 2.0):
        found = ensemble(room(width), seeds=range(4))
        print(f"{width} m: half are out after {found.interval('t50_s')} s, all after {found.interval('total_s')} s")
