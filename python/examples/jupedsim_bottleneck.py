"""A script for JuPedSim; only the import is another."""

import shapely

import crowdloom.jupedsim as jps

area = shapely.union_all([shapely.box(0, 0, 8, 8), shapely.box(8, 3.2, 9, 4.8), shapely.box(9, 0, 12, 8)])
simulation = jps.Simulation(model=jps.SocialForceModel(), geometry=area)
exit_id = simulation.add_exit_stage([(11, 0), (12, 0), (12, 8), (11, 8)])
journey_id = simulation.add_journey(jps.JourneyDescription([exit_id]))
places = jps.distribute_by_number(
    polygon=shapely.box(0, 0, 7, 8), number_of_agents=30, distance_to_agents=0.7, distance_to_polygon=0.4, seed=1
)
for place in places:
    simulation.add_agent(
        jps.SocialForceModelAgentParameters(
            position=place, journey_id=journey_id, stage_id=exit_id, desired_speed=1.3, radius=0.25
        )
    )
while simulation.agent_count() > 0 and simulation.elapsed_time() < 120:
    simulation.iterate()
print(f"empty after {simulation.elapsed_time():.1f} s")
