"""A room with a door, built piece by piece, and emptied."""

from crowdloom import Ground, Scene, Simulation

floor = "POLYGON ((0 0, 12 0, 12 4, 14 4, 14 0, 18 0, 18 10, 14 10, 14 6, 12 6, 12 10, 0 10, 0 0))"
scene = Scene("room", world=Ground.from_wkt(floor), seconds=60)
scene.add_region("room", rectangle=[0, 0, 11, 10])
scene.add_region("outside", rectangle=[16, 0, 18, 10])
scene.add_stop("out", region="outside", exit=True)
scene.add_people(count=40, in_="room", to="out", mover="social-force", speed=[1.1, 1.5])
assert scene.check() == []
print(scene.to_toml())

sim = Simulation.from_scene(scene, seed=2)
while len(sim) and sim.time < 60:
    sim.step(30)
    print(f"{sim.time:4.0f} s: {len(sim)} people are left")
