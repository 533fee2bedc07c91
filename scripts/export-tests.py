"""Reads exports with PedPy, PyArrow and OpenUSD: see scripts/export-tests."""

import pathlib
import sys

import numpy
import pandas
import pedpy
import pyarrow.parquet
from pxr import Usd, UsdGeom, UsdSkel, Vt
from shapely import Polygon

work = pathlib.Path(sys.argv[1])

area = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=work / "run.sqlite")
database = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=work / "run.sqlite")
text = pedpy.load_trajectory(trajectory_file=work / "run.txt", default_unit=pedpy.TrajectoryUnit.METER)
assert database.frame_rate == text.frame_rate == 30, (database.frame_rate, text.frame_rate)
assert len(database.data) == len(text.data) == 200 * 301, (len(database.data), len(text.data))
assert pedpy.is_trajectory_valid(traj_data=database, walkable_area=area), "somebody is inside a wall"
joined = database.data.merge(text.data, on=["id", "frame"])
assert (joined.x_x - joined.x_y).abs().max() < 1e-3 and (joined.y_x - joined.y_y).abs().max() < 1e-3

# The square in the middle of the city, and a line across the whole of it.
square = pedpy.MeasurementArea(Polygon([(116, 116), (156, 116), (156, 156), (116, 156)]))
density = pedpy.compute_classic_density(traj_data=database, measurement_area=square)
assert 0 < density.density.mean() < 1
line = pedpy.MeasurementLine([(110, 0), (110, 272)])
flow, crossings = pedpy.compute_n_t(traj_data=database, measurement_line=line)
speed = pedpy.compute_individual_speed(traj_data=database, frame_step=5, speed_calculation=pedpy.SpeedCalculation.BORDER_SINGLE_SIDED)
assert len(crossings) > 0 and flow.cumulative_pedestrians.max() == len(crossings)
assert 0.3 < speed.speed.mean() < 1.6
print(f"ok  PedPy: density {density.density.mean():.4f} /m², {len(crossings)} crossings, mean speed {speed.speed.mean():.2f} m/s")

table = pyarrow.parquet.read_table(work / "run.parquet")
assert table.schema.metadata[b"frame_rate"] == b"30" and table.schema.metadata[b"geometry"].startswith(b"POLYGON")
columns, values = table.to_pandas(), pandas.read_csv(work / "run.csv", keep_default_na=False)
assert list(columns) == list(values) and len(columns) == len(values) == 200 * 301
for name in ["id", "frame", "clip", "style", "state"]:
    assert (columns[name] == values[name]).all(), name
for name in ["time", "x", "y", "heading", "speed", "clip_frame"]:
    assert (columns[name] - values[name]).abs().max() < 0.006, name
print(f"ok  Parquet: {len(columns)} rows as in the CSV, {table.nbytes / 1e6:.1f} MB in memory")



def broken_rules(stage):
    """What OpenUSD's own validators find wrong with a stage, in words."""
    from pxr import UsdValidation

    registry = UsdValidation.ValidationRegistry()
    rules = [registry.GetOrLoadValidatorByName(rule.name) for rule in registry.GetAllValidatorMetadata()]
    assert len(rules) >= 20, "too few validators came with OpenUSD"
    found = UsdValidation.ValidationContext(rules).Validate(stage, Usd.TraverseInstanceProxies())
    return [f"{problem.GetName()}: {problem.GetMessage()}" for problem in found]


def as_skinned(binding, query, person, frame):
    """Where the root joint of somebody is by the very matrices that skin its meshes, and the box around all skinned points."""
    skeleton = binding.GetSkeleton()
    to_world = UsdGeom.Xformable(skeleton.GetPrim()).ComputeLocalToWorldTransform(frame)
    at_bind = skeleton.GetBindTransformsAttr().Get()[0].ExtractTranslation()
    root = to_world.Transform(query.ComputeSkinningTransforms(frame)[0].Transform(at_bind))
    skinned = []
    for target in binding.GetSkinningTargets():
        points = Vt.Vec3fArray(UsdGeom.Mesh(target.GetPrim()).GetPointsAttr().Get())
        assert target.ComputeSkinnedPoints(query.ComputeSkinningTransforms(frame), points, frame), (person, target.GetPrim())
        skinned += [to_world.Transform(point) for point in points]
    return root, numpy.min(skinned, axis=0), numpy.max(skinned, axis=0)


places = {}
for name in ["run.usda", "run.usdc"]:
    stage = Usd.Stage.Open(str(work / name))
    assert UsdGeom.GetStageUpAxis(stage) == "Z" and UsdGeom.GetStageMetersPerUnit(stage) == 1
    assert stage.GetTimeCodesPerSecond() == 30
    roots = [prim for prim in stage.GetDefaultPrim().GetChildren() if prim.IsA(UsdSkel.Root)]
    assert len(roots) == 4, roots
    cache = UsdSkel.Cache()
    for prim in roots:
        assert prim.IsInstance()
        root = UsdSkel.Root(prim)
        assert cache.Populate(root, Usd.TraverseInstanceProxies())
        bindings = cache.ComputeSkelBindings(root, Usd.TraverseInstanceProxies())
        assert len(bindings) == 1
        query = cache.GetSkelQuery(bindings[0].GetSkeleton())
        assert query and query.HasBindPose() and query.GetAnimQuery()
        early, late = (query.ComputeJointSkelTransforms(Usd.TimeCode(time)) for time in (0, 250))
        assert 0.5 < early[0].ExtractTranslation()[2] < 1.2
        assert early != late
        # Every point of every piece can be skinned: somebody has at least a skin and shoes.
        skinned = bindings[0].GetSkinningTargets()
        assert len(skinned) > 1 and all(piece.HasJointInfluences() for piece in skinned)
        # People are where the table says.
        person = int(prim.GetName().removeprefix("Agent_"))
        for frame in (0, 150, 300):
            place = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(frame).ExtractTranslation()
            row = values[(values.id == person) & (values.frame == frame)].iloc[0]
            assert abs(place[0] - row.x) < 0.01 and abs(place[1] - row.y) < 0.01, (name, person, place)
            places.setdefault((person, frame), []).append(query.ComputeJointSkelTransforms(frame)[-1])
            # The skin is there, too, and stands on the floor.
            hips, low, high = as_skinned(bindings[0], query, person, frame)
            assert abs(hips[0] - row.x) < 0.01 and abs(hips[1] - row.y) < 0.01, (name, person, frame, hips)
            assert abs(low[2]) < 0.03 and 1.0 < high[2] < 2.3, (name, person, frame, low, high)
            assert (low[:2] < (row.x, row.y)).all() and ((row.x, row.y) < high[:2]).all() and (high - low)[:2].max() < 2
for text, binary in places.values():
    assert (text.ExtractTranslation() - binary.ExtractTranslation()).GetLength() < 0.001
print(f"ok  USD: {len(roots)} instances with skeletons and animation, the same as text and in binary, where the CSV says")

try:
    from pxr import UsdValidation as _
except ImportError:
    print("USD rules skipped: this OpenUSD has no validators")
else:
    for name in ["run.usda", "run.usdc"]:
        stage = Usd.Stage.Open(str(work / name))
        assert not (wrong := broken_rules(stage)), (name, wrong)
    # They would tell: the same stage, in unknown units and with a mesh bound to no skeleton.
    stage.ClearMetadata("metersPerUnit")
    stray = UsdGeom.Mesh.Define(stage, stage.GetDefaultPrim().GetPath().AppendChild("Stray"))
    UsdSkel.BindingAPI.Apply(stray.GetPrim()).CreateJointsAttr(["Hips"])
    assert len(wrong := broken_rules(stage)) >= 2, wrong
    print(f"ok  USD: no rule of OpenUSD's own validators is broken, and {len(wrong)} are where some should be")
