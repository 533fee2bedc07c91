"""JuPedSim's interface on top of Crowdloom: ``import crowdloom.jupedsim as jps`` (needs ``shapely``).

``docs/jupedsim.md`` tells what is the same, what differs and what is missing.
"""

from .agent import (
    Agent,
    AnticipationVelocityModelState,
    CollisionFreeSpeedModelState,
    CollisionFreeSpeedModelV2State,
    CollisionFreeSpeedModelV3State,
    GeneralizedCentrifugalForceModelState,
    SocialForceModelState,
    WarpDriverModelState,
)
from .distributions import (
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
from .geometry import (
    Geometry,
)
from .geometry_utils import (
    GeometryError,
)
from .hdf5_serialization import (
    Hdf5TrajectoryWriter,
)
from .journey import (
    JourneyDescription,
    Transition,
)
from .library import (
    INTERFACE_VERSION as __version__,
)
from .library import (
    BuildInfo,
    get_build_info,
    set_debug_callback,
    set_error_callback,
    set_info_callback,
    set_warning_callback,
)
from .models import (
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
from .recording import (
    Recording,
    RecordingAgent,
    RecordingFrame,
)
from .routing import (
    RoutingEngine,
)
from .serialization import (
    TrajectoryWriter,
)
from .simulation import (
    Simulation,
    Trace,
)
from .sqlite_serialization import (
    SqliteTrajectoryWriter,
)
from .stages import (
    DirectSteeringStage,
    ExitStage,
    NotifiableQueueStage,
    WaitingSetStage,
    WaitingSetState,
    WaypointStage,
)

__commit__, __compiler__ = get_build_info().git_commit_hash, get_build_info().compiler

__all__ = [
    "Agent",
    "AgentNumberError",
    "AnticipationVelocityModel",
    "AnticipationVelocityModelAgentParameters",
    "AnticipationVelocityModelState",
    "BuildInfo",
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
    "Hdf5TrajectoryWriter",
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
    "Trace",
    "TrajectoryWriter",
    "Transition",
    "WaitingSetStage",
    "WaitingSetState",
    "WarpDriverModel",
    "WarpDriverModelAgentParameters",
    "WarpDriverModelState",
    "WaypointStage",
    "__commit__",
    "__compiler__",
    "__version__",
    "distribute_by_density",
    "distribute_by_number",
    "distribute_by_percentage",
    "distribute_in_circles_by_density",
    "distribute_in_circles_by_number",
    "distribute_until_filled",
    "get_build_info",
    "set_debug_callback",
    "set_error_callback",
    "set_info_callback",
    "set_warning_callback",
]
