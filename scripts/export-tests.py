"""Reads exports with PedPy, PyArrow and OpenUSD: see scripts/export-tests."""

import pathlib
import sys

import pandas
import pedpy
import pyarrow.parquet
from pxr import Usd, UsdGeom, UsdSkel
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
for text, binary in places.values():
    assert (text.ExtractTranslation() - binary.ExtractTranslation()).GetLength() < 0.001
print(f"ok  USD: {len(roots)} instances with skeletons and animation, the same as text and in binary, where the CSV says")
