"""A running crowd that is changed, forked and taken back."""

import numpy as np

from crowdloom import EditError, Simulation

hall = {
    "name": "hall",
    "world": {"floor": [[0, 0], [24, 0], [24, 12], [0, 12]]},
    "door": [{"name": "gate", "rectangle": [12, 0, 12.4, 12]}],
    "people": [{"count": 30}],
}
sim = Simulation.from_scene(hall, seed=4, movers=["orca"])
sim.run(5)

west = sim.ids[sim.positions[:, 0] < 12]
sim.set_goals(west, [22, 6])
sim.set_speeds(west, 1.6)
print(sim.set_mover(west[:3], "orca"))
print(sim.close("gate"), "it closes as soon as nobody has promised to be there")

other = sim.copy()
other.run(10)
sim.run(10)
assert np.array_equal(other.positions, sim.positions)

new = sim.edit(people={"count": 3, "mover": "orca"}).ids
print(len(new), "came:", new)
sim.remove(new)
sim.undo()
try:
    sim.set_speeds(new[0], 1.0)
except EditError as error:
    print(error)
for frame, what in sim.log[-4:]:
    print(frame, what)
