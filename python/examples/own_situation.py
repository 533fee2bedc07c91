"""A kind of situation of one's own: whoever comes by a fountain takes a free spot, stands for a photograph, and goes on."""

from crowdloom import Ask, Ground, Scene, Simulation, Visit


def photo_stop(visit: Visit) -> Ask | None:
    if visit.done:
        return None
    if visit.spot is None or (visit.busy is None and not visit.at_spot):
        return Ask(take_spot=True)
    if visit.busy is None:
        return Ask(busy=visit.parameters["seconds"], stand=True)
    if visit.busy > 0:
        return Ask(stand=True, face=(10, 10))
    return Ask(done=True, give_up_spot=True)


plaza = Scene("plaza", world=Ground.from_polygon([(0, 0), (20, 0), (20, 20), (0, 20)]), seconds=40)
plaza.add_people(count=24)
plaza.add_region("fountain", circle=[10, 10, 4])
plaza.add_situation(
    "photo",
    kind="photo-stop",
    region="fountain",
    parameters={"seconds": 2.0},
    spots=[[7.5, 10, 0], [12.5, 10, 180], [10, 7.5, 90], [10, 12.5, -90]],
)
sim = Simulation.from_scene(plaza, situations={"photo-stop": photo_stop}, seed=4)
visitors: set[int] = set()
for _ in range(1200):
    sim.step()
    visitors |= {int(number) for number, situation in zip(sim.ids, sim.situations) if situation >= 0}
print(f"{len(visitors)} of {len(sim)} people came by the fountain; {sim.overlaps} overlap")
assert len(visitors) > 4 and sim.overlaps == 0
