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
    ModelSubstituted,
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
    Simulation,
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
    "CollisionFreeSpeedModel",
    "CollisionFreeSpeedModelAgentParameters",
    "CollisionFreeSpeedModelV2",
    "CollisionFreeSpeedModelV2AgentParameters",
    "CollisionFreeSpeedModelV3",
    "CollisionFreeSpeedModelV3AgentParameters",
    "DirectSteeringStage",
    "ExitStage",
    "GeneralizedCentrifugalForceModel",
    "GeneralizedCentrifugalForceModelAgentParameters",
    "Geometry",
    "GeometryError",
    "IncorrectParameterError",
    "JourneyDescription",
    "ModelSubstituted",
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
    "SqliteTrajectoryWriter",
    "TrajectoryWriter",
    "Transition",
    "WaitingSetStage",
    "WaitingSetState",
    "WarpDriverModel",
    "WarpDriverModelAgentParameters",
    "WaypointStage",
    "distribute_by_density",
    "distribute_by_number",
    "distribute_by_percentage",
    "distribute_in_circles_by_density",
    "distribute_in_circles_by_number",
    "distribute_until_filled",
]
