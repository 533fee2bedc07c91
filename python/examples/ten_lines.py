"""A scene, a run, a table and a picture."""

import tempfile

import crowdloom

sim = crowdloom.Simulation.from_scene("street", seed=1)
sim.run(10)
print(sim, sim.positions.mean(axis=0))
run = sim.record(tempfile.mkdtemp(), seconds=10)
print(run.measure()["totals"]["moving_share"], "of the time people get on")
columns = run.trajectories().columns()
print(len(columns["x"]), "rows")
