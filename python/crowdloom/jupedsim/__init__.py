"""JuPedSim's interface on top of Crowdloom: ``import crowdloom.jupedsim as jps`` (needs ``shapely``).

``docs/jupedsim.md`` tells what is the same, what differs and what is missing.
"""

from ._distributions import (
    AgentNumberError,
    IncorrectParameterError,
    NegativeValueError,
    OverlappingCirclesError,
    distribute_by_density,
    distribute_by_number,
    distribute_by_percentage,
    distribute_in_circles_by_density,
    distribute_in_circles_by_number,
    distribute_until_filled,
)
from ._geometry import (
    Geometry,
    GeometryError,
)
from ._journeys import (
    JourneyDescription,
    Transition,
)
from ._models import (
    AnticipationVelocityModel,
    AnticipationVelocityModelAgentParameters,
    CollisionFreeSpeedModel,
    CollisionFreeSpeedModelAgentParameters,
    CollisionFreeSpeedModelV2,
    CollisionFreeSpeedModelV2AgentParameters,
    CollisionFreeSpeedModelV3,
    CollisionFreeSpeedModelV3AgentParameters,
    GeneralizedCentrifugalForceModel,
    GeneralizedCentrifugalForceModelAgentParameters,
    SocialForceModel,
    SocialForceModelAgentParameters,
    WarpDriverModel,
    WarpDriverModelAgentParameters,
)
from ._recording import (
    Recording,
    RecordingAgent,
    RecordingFrame,
    SqliteTrajectoryWriter,
    TrajectoryWriter,
)
from ._routing import (
    RoutingEngine,
)
from ._simulation import (
    Agent,
    AnticipationVelocityModelState,
    CollisionFreeSpeedModelState,
    CollisionFreeSpeedModelV2State,
    CollisionFreeSpeedModelV3State,
    GeneralizedCentrifugalForceModelState,
    Simulation,
    SocialForceModelState,
    WarpDriverModelState,
)
from ._stages import (
    DirectSteeringStage,
    ExitStage,
    NotifiableQueueStage,
    WaitingSetStage,
    WaitingSetState,
    WaypointStage,
)

__all__ = [
    "Agent",
    "AgentNumberError",
    "AnticipationVelocityModel",
    "AnticipationVelocityModelAgentParameters",
    "AnticipationVelocityModelState",
    "CollisionFreeSpeedModel",
    "CollisionFreeSpeedModelAgentParameters",
    "CollisionFreeSpeedModelState",
    "CollisionFreeSpeedModelV2",
    "CollisionFreeSpeedModelV2AgentParameters",
    "CollisionFreeSpeedModelV2State",
    "CollisionFreeSpeedModelV3",
    "CollisionFreeSpeedModelV3AgentParameters",
    "CollisionFreeSpeedModelV3State",
    "DirectSteeringStage",
    "ExitStage",
    "GeneralizedCentrifugalForceModel",
    "GeneralizedCentrifugalForceModelAgentParameters",
    "GeneralizedCentrifugalForceModelState",
    "Geometry",
    "GeometryError",
    "IncorrectParameterError",
    "JourneyDescription",
    "NegativeValueError",
    "NotifiableQueueStage",
    "OverlappingCirclesError",
    "Recording",
    "RecordingAgent",
    "RecordingFrame",
    "RoutingEngine",
    "Simulation",
    "SocialForceModel",
    "SocialForceModelAgentParameters",
    "SocialForceModelState",
    "SqliteTrajectoryWriter",
    "TrajectoryWriter",
    "Transition",
    "WaitingSetStage",
    "WaitingSetState",
    "WarpDriverModel",
    "WarpDriverModelAgentParameters",
    "WarpDriverModelState",
    "WaypointStage",
    "distribute_by_density",
    "distribute_by_number",
    "distribute_by_percentage",
    "distribute_in_circles_by_density",
    "distribute_in_circles_by_number",
    "distribute_until_filled",
]
